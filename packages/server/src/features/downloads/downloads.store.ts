import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Folder ids of uploads whose job is not completed: their bytes are all there is. */
export async function listAwaitedUploads(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('jobs')
    .select(sql<string>`args #>> '{source,source_id}'`.as('source_id'))
    .where('type', '=', 'download')
    .where('status', '!=', 'completed')
    .where(sql<boolean>`args #>> '{source,kind}' = 'upload'`)
    .execute();
  return new Set(rows.map((row) => row.source_id));
}
