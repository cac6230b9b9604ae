import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { SourceCandidatesTable } from './downloads.tables.ts';

/** Something that the search for a track's sound found. */
export type SourceCandidateRow = Selectable<SourceCandidatesTable>;

/** What was found for a track, the best first. */
export function listCandidates(db: Db, trackId: string): Promise<SourceCandidateRow[]> {
  return db
    .selectFrom('source_candidates')
    .selectAll()
    .where('track_id', '=', trackId)
    .orderBy('position')
    .execute();
}

/** Puts what a new search found in the place of what an older one did. */
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

/** Says from which candidate the track has its sound. */
export async function markChosen(db: Db, trackId: string, id: string): Promise<void> {
  await db
    .updateTable('source_candidates')
    .set({ is_chosen: sql<boolean>`id = ${id}` })
    .where('track_id', '=', trackId)
    .execute();
}

/** Writes down how long a candidate turned out to be. */
export async function recordLength(db: Db, trackId: string, id: string, durationMs: number): Promise<void> {
  await db
    .updateTable('source_candidates')
    .set({ duration_ms: durationMs })
    .where('track_id', '=', trackId)
    .where('id', '=', id)
    .execute();
}
