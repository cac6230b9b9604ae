import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { SourceCandidatesTable } from './downloads.tables.ts';

/** A search result for the audio of a track. */
export type SourceCandidateRow = Selectable<SourceCandidatesTable>;

/** Returns the search results of a track, best first. */
export function listCandidates(db: Db, trackId: string): Promise<SourceCandidateRow[]> {
  return db
    .selectFrom('source_candidates')
    .selectAll()
    .where('track_id', '=', trackId)
    .orderBy('position')
    .execute();
}

/** Replaces the search results of a track with those of a new search. */
export async function replaceCandidates(
  db: Db,
  trackId: string,
  rows: readonly SourceCandidateRow[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('source_candidates').where('track_id', '=', trackId).execute();
    if (rows.length > 0) await tx.insertInto('source_candidates').values(rows).execute();
  });
}

/** Records which candidate the track's audio comes from. */
export async function markChosen(db: Db, trackId: string, id: string): Promise<void> {
  await db
    .updateTable('source_candidates')
    .set({ is_chosen: sql<boolean>`id = ${id}` })
    .where('track_id', '=', trackId)
    .execute();
}

/** Records the actual length of a candidate. */
export async function recordLength(db: Db, trackId: string, id: string, durationMs: number): Promise<void> {
  await db
    .updateTable('source_candidates')
    .set({ duration_ms: durationMs })
    .where('track_id', '=', trackId)
    .where('id', '=', id)
    .execute();
}
