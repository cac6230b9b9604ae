import type { HeardNote, NoteSource } from '@stem-studio/contract/resources/notes';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { withOwner } from '../../platform/owned.ts';
import { liveOwnerOf } from '../tracks/index.ts';
import type { TranscriptionsTable } from './notes.tables.ts';
import { storedNotes } from './stored-notes.ts';

/** A row of notes with all of them. */
export type TranscriptionRow = Selectable<TranscriptionsTable>;

/** A row of notes without the notes, which may be many. */
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

/** Stores notes in the place of those that were heard there before. */
export async function replaceTranscription(
  tx: Tx,
  row: TranscriptionHead & { readonly notes: readonly HeardNote[] },
): Promise<void> {
  const values = { ...row, notes: storedNotes.toText([...row.notes]) };
  // In one statement, for two workers may finish the same source at the same time.
  await tx
    .insertInto('transcriptions')
    .values(values)
    .onConflict((conflict) => conflict.columns(['track_id', 'source']).doUpdateSet(values))
    .execute();
}

function toRow<R extends { readonly id: string; readonly notes: unknown }>(db: Db, row: R) {
  return { ...row, notes: storedNotes.read(db, row.notes, row.id) ?? [] };
}

/** The notes of a track, of one source or of all, the whole song first; bends are left out unless asked for. */
export async function listTranscriptions(
  db: Db,
  trackId: string,
  { source, bends }: { readonly source?: NoteSource | undefined; readonly bends: boolean },
): Promise<TranscriptionRow[]> {
  const notes = bends
    ? sql<HeardNote[]>`notes`
    : sql<HeardNote[]>`case when jsonb_typeof(notes) = 'array' then
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

/** What a job heard, unless newer notes have taken its place. */
export async function findHeadOfJob(db: Db, jobId: string): Promise<TranscriptionHead | null> {
  const row = await db
    .selectFrom('transcriptions')
    .select(headColumns)
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  return row ?? null;
}

/** Notes with all their bends, with the owner of their track; null where there are none, or the track is gone. */
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

/** Removes notes for good. */
export async function removeTranscription(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('transcriptions').where('id', '=', id).execute();
}

/** Which notes there are of these tracks, without the notes. */
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
