import type { NoteSource, TranscribedNote } from '@stem-studio/contract/resources/notes';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { withOwner } from '../../platform/owned.ts';
import { liveOwnerOf } from '../tracks/index.ts';
import type { TranscriptionsTable } from './notes.tables.ts';
import { storedNotes } from './stored-notes.ts';

/** Row of a transcription with all its notes. */
export type TranscriptionRow = Selectable<TranscriptionsTable>;

/** Row of a transcription without its notes, which may be many. */
export type TranscriptionHead = Omit<TranscriptionRow, 'notes'>;

const headColumns = [
  'id',
  'track_id',
  'job_id',
  'source',
  'stem_id',
  'onset_threshold',
  'frame_threshold',
  'minimum_note_ms',
  'monophonic',
  'note_count',
  'created_at',
] as const;

/** Stores a transcription in place of the previous one of the same source. */
export async function replaceTranscription(
  tx: Tx,
  row: TranscriptionHead & { readonly notes: readonly TranscribedNote[] },
): Promise<void> {
  const values = { ...row, notes: storedNotes.toText([...row.notes]) };
  // In one statement, because two workers may complete the same source at the same time.
  await tx
    .insertInto('transcriptions')
    .values(values)
    .onConflict((conflict) => conflict.columns(['track_id', 'source']).doUpdateSet(values))
    .execute();
}

function toRow<R extends { readonly id: string; readonly notes: unknown }>(db: Db, row: R) {
  return { ...row, notes: storedNotes.read(db, row.notes, row.id) ?? [] };
}

/**
 * Returns the transcriptions of a track, of one source or of all, the whole song first. Pitch bends are omitted by
 * default.
 */
export async function listTranscriptions(
  db: Db,
  trackId: string,
  { source, bends }: { readonly source?: NoteSource | undefined; readonly bends: boolean },
): Promise<TranscriptionRow[]> {
  const notes = bends
    ? sql<TranscribedNote[]>`notes`
    : sql<TranscribedNote[]>`case when jsonb_typeof(notes) = 'array' then
        (select coalesce(jsonb_agg(note - 'bends_cents' order by position), '[]')
          from jsonb_array_elements(notes) with ordinality as each (note, position))
        else notes end`;
  const rows = await db
    .selectFrom('transcriptions')
    .select(headColumns)
    .select(notes.as('notes'))
    .where('track_id', '=', trackId)
    .$if(source !== undefined, (query) => query.where('source', '=', source as NoteSource))
    .orderBy(sql`source <> 'mix'`)
    .orderBy('source')
    .execute();
  return rows.map((row) => toRow(db, row));
}

/** Returns the transcription of a job, unless a newer one has replaced it. */
export async function findHeadOfJob(db: Db, jobId: string): Promise<TranscriptionHead | null> {
  const row = await db
    .selectFrom('transcriptions')
    .select(headColumns)
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns a transcription with all pitch bends and the owner of its track; null if either is missing. */
export async function findTranscription(
  db: Db,
  id: string,
): Promise<(TranscriptionRow & { readonly user_id: number }) | null> {
  const row = await db
    .selectFrom('transcriptions')
    .selectAll()
    .select(liveOwnerOf(sql.ref('transcriptions.track_id')).as('user_id'))
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? withOwner(toRow(db, row)) : null;
}

/** Deletes a transcription permanently. */
export async function removeTranscription(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('transcriptions').where('id', '=', id).execute();
}

/** Returns the transcriptions of these tracks without their notes. */
export function listNotesOf(
  db: Db,
  trackIds: readonly string[],
): Promise<Pick<TranscriptionRow, 'id' | 'track_id' | 'source' | 'created_at'>[]> {
  return db
    .selectFrom('transcriptions')
    .select(['id', 'track_id', 'source', 'created_at'])
    .where('track_id', 'in', trackIds)
    .orderBy('track_id')
    .orderBy('source')
    .execute();
}
