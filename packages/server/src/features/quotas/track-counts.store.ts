import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/**
 * Makes one row of the many changes of how many tracks each user has. What is written meanwhile stays beside it: the sum
 * is the same at every moment.
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
