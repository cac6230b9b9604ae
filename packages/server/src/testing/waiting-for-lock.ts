import { sql } from 'kysely';
import { pause } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';

/** Resolves when a statement in this database waits for a lock of another transaction. */
export async function untilSomebodyWaits(db: Db): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`;
  while ((await waiting.execute(db)).rows.length === 0) await pause(5);
}
