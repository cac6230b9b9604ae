import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Subquery of a user's number of undeleted tracks. */
export function trackCountOf(userId: Expression<unknown> | number): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(change), 0)::int from track_counts where user_id = ${userId})`;
}

/** Deletes the track count of a user whose tracks are all deleted. */
export async function deleteTrackCount(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('track_counts').where('user_id', '=', userId).execute();
}

/**
 * Replaces the many changes of each user's track count by their sum. Concurrent changes are kept, and readers always
 * see the right total.
 */
export async function addUpTrackCounts(db: Db): Promise<void> {
  await sql`
    with taken as (
      delete from track_counts
      where user_id in (select user_id from track_counts group by user_id having count(*) > 1)
      returning user_id, change
    )
    insert into track_counts (user_id, change)
    select user_id, sum(change) from taken group by user_id having sum(change) <> 0`.execute(db);
}
