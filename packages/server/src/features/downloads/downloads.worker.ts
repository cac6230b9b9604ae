import { attempts } from '@stem-studio/contract/limits';
import type { Context } from '../../context.ts';
import { whileNoBackup } from '../../platform/backup/deletion-hold.store.ts';
import { isDatabaseUnavailable } from '../../platform/db/connection.ts';
import type { Db } from '../../platform/db/database.ts';
import { withJobSpace } from '../../platform/disk/reserve-space.ts';
import { failure, RetryableError, ServiceError, unavailable } from '../../platform/errors.ts';
import { emit } from '../../platform/events.ts';
import { decodingLimits } from '../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../platform/process/limited-process.ts';
import { updateJob } from '../../platform/queue/jobs.store.ts';
import { done, fail, type Verdict } from '../../platform/queue/verdict.ts';
import { secondsLeft } from '../../platform/seconds-left.ts';
import {
  type AudioSourceRow,
  attachAudio,
  defineTrackWorker,
  findRendition,
  findSourceByKey,
  findTrack,
  insertRendition,
  insertSource,
  listSeconds,
  type TrackRun,
  usesSource,
} from '../tracks/index.ts';
import { chargeUploads } from './charge-uploads.ts';
import { decodeForeign, type ForeignOutcome, soundName } from './decode-foreign.ts';
import { type DownloadArgs, sourceFolder, storedDownloadArgs } from './download-args.ts';
import { forgetUploads } from './forget-uploads.ts';
import { countInImport } from './imports.service.ts';
import type { PrepareOutcome, PrepareRequest } from './prepare-audio.ts';
import { discard, type Received, receiveSound, receivingPercent } from './receive-sound.ts';
import { findSourceTags } from './source-words.ts';
import { markChosen, recordLength } from './sources.store.ts';
import { longestDifferenceMs } from './tool/score-candidate.ts';
import type { RenditionTags } from './write-tags.ts';

async function perform(args: DownloadArgs, run: TrackRun, context: Context): Promise<Verdict> {
  const received = await receiveSound(context, args, run);
  const known = await findOwnSource(context, run, received);
  try {
    const verdict =
      (known && (await refuseStray(context, run, received, known.duration_ms))) ??
      (await prepare(context, args, run, received, known));
    if (verdict.kind !== 'done') await discard(context, received, known);
    return verdict;
  } catch (error) {
    // An upload's bytes cannot be fetched again: they stay for the next attempt, and go with the track.
    if (args.source.kind !== 'upload') await discard(context, received, known);
    await requireKept(context, context.db, args, received, known);
    throw error;
  }
}

/**
 * The source with the bytes that were received, where this user has it already. Bytes that only others have are checked
 * and prepared like bytes that nobody has: otherwise the time it takes would tell that somebody has them.
 */
async function findOwnSource(
  { db }: Context,
  run: TrackRun,
  received: Received,
): Promise<AudioSourceRow | undefined> {
  const stored = await findSourceByKey(db, received.sourceKey);
  if (!stored || stored.id === received.sourceId) return stored;
  return (await usesSource(db, run.userId, stored.id)) ? stored : undefined;
}

/** A match that turns out to be more than 10 s off is not taken unless the user chose it: then the job fails. */
async function refuseStray(
  context: Context,
  run: TrackRun,
  { found }: Received,
  durationMs: number,
): Promise<Verdict | null> {
  const expectedMs = found?.expectedMs ?? null;
  if (!found || expectedMs === null || Math.abs(durationMs - expectedMs) <= longestDifferenceMs) return null;
  await recordLength(context.db, run.trackId, found.candidateId, durationMs);
  const [is, should] = [durationMs, expectedMs].map((ms) => Math.round(ms / 1000));
  return fail(
    `The sound that was found lasts ${is} s, the song ${should} s: it was not taken. Choose a source by hand, or upload a file.`,
  );
}

/**
 * Audio that was known may be deleted with its last owner while it is used: then what was put beside it meanwhile is
 * removed, and another attempt receives it anew. An upload cannot be received again, so its bytes stay for that attempt.
 */
async function requireKept(
  context: Context,
  db: Db,
  { source }: DownloadArgs,
  received: Received,
  known: AudioSourceRow | undefined,
): Promise<void> {
  if (!known || (await findSourceByKey(db, known.source_key))?.id === known.id) return;
  if (known.id !== received.sourceId)
    await whileNoBackup(context, () => context.files.removeFolder(sourceFolder(known.id)));
  if (source.kind !== 'upload') await discard(context, received, known);
  throw new RetryableError('the audio that was there was deleted with its last owner');
}

async function prepare(
  context: Context,
  args: DownloadArgs,
  run: TrackRun,
  received: Received,
  known: AudioSourceRow | undefined,
): Promise<Verdict> {
  const { quality } = args;
  const sourceId = known?.id ?? received.sourceId;
  const receivedPath = known?.received_path ?? `${sourceFolder(sourceId)}/received`;
  if (known && (await findRendition(context.db, known.id, quality))) {
    return done(async (tx) => {
      await requireKept(context, tx, args, received, known);
      await finish(context, tx, run, received, known, quality);
      await discard(context, received, known, tx);
    });
  }

  const track = await findTrack(context.db, run.trackId);
  // Thrown, so that the bytes of an upload stay: a deleted track can be brought back.
  if (!track) throw failure('NOT_FOUND', 'the track was deleted');
  if (!known && !(await context.files.stat(receivedPath))) {
    return fail(
      'The uploaded file was not kept, because it could not be used. Delete the track, or upload another file.',
    );
  }
  const absolute = context.files.absolute(receivedPath);
  const { tags, warning } = await findSourceTags(context, args, absolute, run.signal);
  const aside = await context.files.aside();
  try {
    const startedMs = context.clock.monotonicMs();
    await run.report({ status: 'processing', progress: receivingPercent, message: 'checking the sound' });
    const foreign = known ? null : await decodeForeign(context, absolute, aside.path, run.signal);
    if (foreign?.kind === 'refused') return refuse(foreign.message);
    // Thrown, so that the bytes of an upload stay until there is an ffmpeg.
    if (foreign?.kind === 'missing') throw unavailable(`${foreign.message}. Then press Retry.`);
    const soundPath = known ? context.files.absolute(known.sound_path) : (foreign?.path ?? absolute);
    const outcome = await runInProcess<PrepareOutcome>({
      module: new URL('./prepare.process.ts', import.meta.url),
      limits: decodingLimits('the file', context.config.maxDurationSeconds),
      input: {
        soundPath,
        outputFolder: aside.path,
        quality,
        withPeaks: !known,
        maxDurationSeconds: context.config.maxDurationSeconds,
        tags: { ...tags, isrc: track.isrc },
      } satisfies PrepareRequest,
      signal: run.signal,
      onProgress(fraction) {
        const part = fraction as number;
        void run.report({
          progress: receivingPercent + Math.floor(part * (99 - receivingPercent)),
          message: 'checking the sound and making the asked quality',
          eta_seconds: secondsLeft(context.clock.monotonicMs() - startedMs, part),
        });
      },
    });
    if (outcome.kind === 'refused') return refuse(outcome.message);

    const stray = await refuseStray(context, run, received, outcome.durationMs);
    if (stray) return stray;
    // Another user's, where there is one: kept once for both, and what was made here goes unless it is missing there.
    const stored = known ?? (await findSourceByKey(context.db, received.sourceKey));
    const isMade =
      stored !== undefined && (await findRendition(context.db, stored.id, quality)) !== undefined;
    const folder = sourceFolder(stored && !isMade ? stored.id : sourceId);
    const renditionPath = `${folder}/${quality}.${outcome.renditionName.split('.').at(-1)}`;
    const rendition = await aside.publish(outcome.renditionName, renditionPath);
    const own =
      known ??
      (await describeSource(context, received, outcome, aside, { cover: tags.cover, warning }, foreign));
    const row = stored ?? own;
    return done(async (tx) => {
      await requireKept(context, tx, args, received, stored);
      if (!stored && !(await insertSource(tx, row))) {
        // Another worker received the same bytes at the same moment: the next attempt finds its row.
        if (args.source.kind !== 'upload') await context.files.removeFolder(sourceFolder(row.id));
        throw new RetryableError('the same sound arrived twice at once');
      }
      if (!isMade)
        await insertRendition(tx, {
          source_id: row.id,
          quality,
          file_path: renditionPath,
          file_size: rendition.bytes,
          created_at: context.clock.now(),
        });
      await finish(context, tx, run, received, row, quality);
      if (stored) await discard(context, received, stored, tx);
    });
  } finally {
    await aside.remove();
  }
}

/** Nothing can be made of these bytes, now or later. */
function refuse(reason: string): Verdict {
  return fail(`${reason}. Nothing was stored. Delete the track, and bring the song again from a whole file.`);
}

/** Puts peaks and cover beside the received file and describes all of it as a row. */
async function describeSource(
  context: Context,
  received: Received,
  outcome: Extract<PrepareOutcome, { kind: 'ready' }>,
  aside: Awaited<ReturnType<Context['files']['aside']>>,
  { cover, warning }: { readonly cover: RenditionTags['cover']; readonly warning: string | null },
  foreign: Extract<ForeignOutcome, { kind: 'decoded' }> | null,
): Promise<AudioSourceRow> {
  const folder = sourceFolder(received.sourceId);
  await aside.publish('peaks.bin', `${folder}/peaks.bin`);
  const coverPath = cover && `${folder}/cover.${cover.mediaType.split('/')[1]}`;
  if (cover && coverPath) await context.files.writeAside(coverPath, (out) => out.append(cover.bytes));
  const receivedPath = `${folder}/received`;
  const bytes = (await context.files.stat(receivedPath))?.bytes ?? 0;
  const soundPath = foreign ? `${folder}/${soundName}` : receivedPath;
  if (foreign) await aside.publish(soundName, soundPath);
  const paths = new Set([receivedPath, soundPath, `${folder}/peaks.bin`, ...(coverPath ? [coverPath] : [])]);
  const stored = await Promise.all([...paths].map((path) => context.files.stat(path)));
  return {
    id: received.sourceId,
    source_key: received.sourceKey,
    codec: foreign?.format ?? outcome.info.codec,
    // Of a file that another program decoded only its mean is known.
    bitrate: foreign ? Math.round((bytes * 8000) / Math.max(1, outcome.durationMs)) : outcome.info.bitrate,
    sample_rate: outcome.info.sample_rate,
    channels: outcome.info.channels,
    bits_per_sample: foreign ? null : outcome.info.bits_per_sample,
    bytes,
    stored_bytes: stored.reduce((sum, facts) => sum + (facts?.bytes ?? 0), 0),
    duration_ms: outcome.durationMs,
    received_path: receivedPath,
    sound_path: soundPath,
    peaks_path: `${folder}/peaks.bin`,
    cover_path: coverPath,
    warnings: [...outcome.warnings, ...(warning === null ? [] : [warning])],
    created_at: context.clock.now(),
  };
}

async function finish(
  context: Context,
  tx: Parameters<typeof attachAudio>[1],
  run: TrackRun,
  { found }: Received,
  source: AudioSourceRow,
  quality: DownloadArgs['quality'],
): Promise<void> {
  await countInImport(context, tx, run.jobId, 'completed');
  // Not before: what turns out to be no sound leaves the track with what it had.
  if (found) await markChosen(tx, run.trackId, found.candidateId);
  const coverUrl = source.cover_path === null ? null : `/files/${source.cover_path}`;
  const audio = { sourceId: source.id, quality, durationMs: source.duration_ms };
  const isNew = await attachAudio(context, tx, run.trackId, audio, coverUrl);
  await forgetUploads(context, tx, { trackId: run.trackId, replacedBy: run.jobId });
  // Charged as stored from here on: what follows must not find it counted twice.
  await updateJob(tx, run.jobId, { expected_bytes: 0 });
  // Another quality of the same sound has the same stems and the same tempo.
  if (!isNew) return;
  await emit(context, tx, 'download.completed', {
    track_id: run.trackId,
    user_id: run.userId,
    job_id: run.jobId,
  });
}

/** What a person can do about a failure that has nothing to do with the sound. */
function explain(error: unknown): Verdict | null {
  // The socket file of a database that is away is missing too: that passes.
  if (isDatabaseUnavailable(error)) return null;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return fail('The disk is full. Nothing partial was kept; free some space, then press Retry.');
  }
  if (code === 'ENOENT') return fail('The file is no longer where the catalog said. Nothing was stored.');
  if (code === 'EACCES' || code === 'EPERM')
    return fail('The file cannot be read: the studio lacks the permission. Nothing was stored.');
  return error instanceof ServiceError ? fail(error.message) : null;
}

/**
 * Receives the sound of a track, checks that it can be played, makes the asked quality and the waveform peaks.
 *
 * @spec Download job
 */
export const downloadWorker = defineTrackWorker({
  type: 'download',
  args: storedDownloadArgs,
  concurrency: (config) => config.downloadConcurrency,
  attempts: attempts.download,
  runningStatus: 'downloading',
  costs: listSeconds,
  queuedMessage: 'waiting for a download to finish',
  async failed({ source }, run, context, tx) {
    await countInImport(context, tx, run.jobId, 'failed');
    if (source.kind === 'upload') await chargeUploads(context, tx, run.trackId);
  },
  async perform(args, run, context) {
    try {
      return await withJobSpace(context, run, run.expectedBytes, () => perform(args, run, context));
    } catch (error) {
      const verdict = run.signal.aborted ? null : explain(error);
      if (verdict) return verdict;
      throw error;
    }
  },
});
