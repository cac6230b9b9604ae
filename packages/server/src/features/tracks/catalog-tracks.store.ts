import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Returns which of these catalog tracks are in a user's library, without deleted ones. */
export async function listInLibrary(
  db: Db,
  userId: number,
  catalogIds: readonly string[],
): Promise<{ catalog_id: string; track_id: string }[]> {
  if (catalogIds.length === 0) return [];
  const rows = await db
    .selectFrom('tracks')
    .select(['catalog_id', 'id as track_id'])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`catalog_id = any(${catalogIds}::text[])`)
    .orderBy('id')
    .execute();
  return rows.flatMap(({ catalog_id, track_id }) => (catalog_id === null ? [] : [{ catalog_id, track_id }]));
}
