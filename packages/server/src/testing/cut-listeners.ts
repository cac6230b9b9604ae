import { sql } from 'kysely';
import type { Db } from '../platform/db/database.ts';
import { listenerName } from '../platform/db/listener.ts';

/** Ends every connection that listens for notifications in this database and returns their number. */
export async function cutListeners(db: Db): Promise<number> {
  const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${listenerName} and datname = current_database()`.execute(db);
  return rows.length;
}
