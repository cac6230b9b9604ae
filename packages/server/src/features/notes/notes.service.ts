import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { listNotes, transcribe } from '@stem-studio/contract/endpoints/notes';
import { libraryChannel } from '@stem-studio/contract/events/library';
import type {
  NoteSource,
  NotesJob,
  TranscribedNote,
  Transcription,
  TranscriptionWithNotes,
} from '@stem-studio/contract/resources/notes';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { processingStatus } from '@stem-studio/contract/states';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { asReadable, own } from '../../platform/owned.ts';
import { findPermittedJob } from '../../platform/queue/job-access.ts';
import { type AcceptedJob, requestJobOnce } from '../../platform/queue/jobs.ts';
import { publish } from '../../platform/socket/publish.ts';
import { findStem } from '../processing/index.ts';
import {
  findOwnedTrack,
  findTrack,
  getReadableTrack,
  requireQuotaForTrack,
  requireTrackId,
  type TrackWithAudio,
  trackSubject,
} from '../tracks/index.ts';
import * as store from './notes.store.ts';
import { type NotesArgs, storedNotesArgs, unreadableNotesArgs } from './notes-args.ts';

/** Stem types that usually have one note at a time. */
const melodic: readonly StemType[] = ['vocals', 'bass', 'wind'];

/** Returns a key that is equal for two jobs of the same work. */
function keyOf(args: NotesArgs): string {
  const { source, stem_id, onset_threshold, frame_threshold, minimum_note_ms, monophonic } = args;
  return JSON.stringify([source, stem_id, onset_threshold, frame_threshold, minimum_note_ms, monophonic]);
}

/**
 * Requests a transcription of the caller's track or one of its stems. Throws `NOT_FOUND`, `TRACK_NOT_DOWNLOADED`, or
 * `STEM_WITHOUT_PITCH` for drums, or `QUOTA_EXCEEDED`.
 */
export async function transcribeTrack(
  context: Context,
  viewer: Viewer,
  { track_id, stem_id, monophonic, ...settings }: HandlerInput<typeof transcribe>['body'],
): Promise<AcceptedJob & { readonly source: NoteSource }> {
  const track = await findOwnedTrack(context.db, viewer, track_id);
  const stem = stem_id === null ? null : await findStem(context.db, stem_id);
  if (stem_id !== null && stem?.track_id !== track.id) throw notFound('stem');
  if (stem?.stem_type === 'drums') {
    throw stateForbids(
      'STEM_WITHOUT_PITCH',
      'drums have no pitch: make notes of another stem, or of the whole song',
    );
  }
  if (!stem && !track.audio) {
    throw stateForbids(
      'TRACK_NOT_DOWNLOADED',
      'the track has no audio yet: wait for its download, or retry that',
    );
  }
  // The column is text, but only stem types of the contract are written to it.
  const type = stem ? (stem.stem_type as StemType) : null;
  const args: NotesArgs = {
    ...settings,
    source: type ?? 'mix',
    stem_id,
    monophonic: monophonic ?? (type !== null && melodic.includes(type)),
  };
  const subject = trackSubject(track.id);
  const request = { type: 'notes', user_id: track.user_id, subject, args } as const;
  const accepted = await context.db.transaction().execute((tx) =>
    requestJobOnce(
      context,
      tx,
      request,
      (job) => {
        const other = storedNotesArgs.read(tx, job.args, job.id);
        return other !== null && keyOf(other) === keyOf(args);
      },
      (locked) => requireQuotaForTrack(context, locked, track, { what: 'this', jobs: 1 }),
    ),
  );
  return { ...accepted, source: args.source };
}

/** Stores a transcription in place of the previous one, and publishes it. */
export async function completeTranscription(
  context: Context,
  tx: Tx,
  run: { readonly jobId: string; readonly trackId: string; readonly userId: number },
  args: NotesArgs,
  notes: readonly TranscribedNote[],
): Promise<void> {
  await store.replaceTranscription(tx, {
    ...args,
    id: newId(),
    track_id: run.trackId,
    job_id: run.jobId,
    notes,
    note_count: notes.length,
    created_at: context.clock.now(),
  });
  await announceNotes(tx, { id: run.trackId, user_id: run.userId });
}

/** Notifies the owner's pages that the notes of a track have changed, when the caller's transaction commits. */
async function announceNotes(
  tx: Tx,
  track: { readonly id: string; readonly user_id: number },
): Promise<void> {
  await publish(tx, libraryChannel, { user_id: track.user_id }, 'notes_updated', { track_id: track.id });
}

/** Returns a transcription as the API presents it. */
export function presentTranscription(row: store.TranscriptionRow): TranscriptionWithNotes {
  return { ...presentHead(row), notes: row.notes };
}

function presentHead(row: store.TranscriptionHead): Transcription {
  const { id, track_id, job_id, source, stem_id, note_count, created_at } = row;
  const { onset_threshold, frame_threshold, minimum_note_ms, monophonic } = row;
  const settings = { onset_threshold, frame_threshold, minimum_note_ms, monophonic };
  return {
    id,
    track_id,
    job_id,
    source,
    stem_id,
    note_count,
    created_at: created_at.toISOString(),
    ...settings,
  };
}

/** Returns a transcription job. Throws `NOT_FOUND`. */
export async function showNotesJob(context: Context, viewer: Viewer, id: string): Promise<NotesJob> {
  const row = await findPermittedJob(context, viewer, id, 'read');
  if (!row || row.type !== 'notes') throw notFound('notes job');
  const result = row.status === 'completed' ? await store.findHeadOfJob(context.db, row.id) : null;
  return {
    ...(storedNotesArgs.read(context.db, row.args, row.id) ?? unreadableNotesArgs),
    id: row.id,
    track_id: requireTrackId(row),
    status: processingStatus.parse(row.status),
    progress: row.progress,
    message: row.message,
    eta_seconds: row.eta_seconds,
    result: result && presentHead(result),
    error: row.error,
  };
}

/** Returns the notes of a readable track, of one source or of all. Throws `NOT_FOUND`. */
export async function showNotes(
  context: Context,
  viewer: Viewer,
  trackId: string,
  { source, bends }: HandlerInput<typeof listNotes>['query'],
): Promise<TranscriptionWithNotes[]> {
  const track = await getReadableTrack(context.db, viewer, trackId);
  const rows = await store.listTranscriptions(context.db, track.id, { source, bends: bends === 'true' });
  return rows.map(presentTranscription);
}

/** Deletes a transcription of the caller. Throws `NOT_FOUND`. */
export async function deleteNotes(context: Context, viewer: Viewer, id: string): Promise<void> {
  const row = own(viewer, await store.findTranscription(context.db, id));
  if (!row) throw notFound('notes');
  await context.db.transaction().execute(async (tx) => {
    await store.removeTranscription(tx, row.id);
    await announceNotes(tx, { id: row.track_id, user_id: row.user_id });
  });
}

/** Returns a transcription that the viewer may read, with its track. Throws `NOT_FOUND`. */
export async function getReadableNotes(
  context: Context,
  viewer: Viewer,
  id: string,
): Promise<{ readonly row: store.TranscriptionRow; readonly track: TrackWithAudio }> {
  const row = asReadable(viewer, await store.findTranscription(context.db, id));
  const track = row && (await findTrack(context.db, row.track_id));
  if (!track) throw notFound('notes');
  return { row, track };
}
