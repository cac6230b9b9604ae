import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Column of type `sealed_text`. Its table has `id` and `user_id`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
}

/** Returns all columns that hold encrypted secrets, read from the database schema so that none is forgotten. */
export async function listSealedColumns(db: Db): Promise<SealedColumn[]> {
  const { rows } = await sql<SealedColumn>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and domain_name = 'sealed_text' order by 1, 2`.execute(db);
  return rows;
}

/** Returns the number of secrets per key id. */
export async function countSecretsByKey(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { table, column } of await listSealedColumns(db)) {
    const { rows } = await sql<{ key: string; count: number }>`
      select split_part(${sql.ref(column)}, '.', 2) as key, count(*) as count
      from ${sql.table(table)} where ${sql.ref(column)} is not null group by 1`.execute(db);
    for (const { key, count } of rows) counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return counts;
}
