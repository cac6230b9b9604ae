import { type RateLimitName, rateLimits } from '@stem-studio/contract/limits';
import { sql } from 'kysely';
import { createBatch } from '../batch.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { perDatabase } from '../db/per-database.ts';
import { runPrepared } from '../db/prepared.ts';

/** State of a caller in the current window of a rate limit. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, in epoch seconds. */
  readonly resetsAt: number;
  readonly retryAfterSeconds: number;
  readonly isExceeded: boolean;
  /** False if the database could not count the request. The state is then that of the first request of the window. */
  readonly isCounted: boolean;
}

/** Request to count. */
interface Hit {
  readonly bucket: string;
  readonly windowStart: number;
}

/** Concurrent requests are counted by one statement. */
const counterOf = perDatabase((db) => createBatch<Hit, number>((hits) => countHits(db, hits)));

/**
 * Counts requests and returns the ordinal number of each in its window. All processes lock buckets in the same order,
 * which prevents deadlocks.
 */
async function countHits(db: Db, hits: readonly Hit[]): Promise<number[]> {
  const nameOf = ({ bucket, windowStart }: Hit) => `${bucket} ${windowStart}`;
  const added = new Map<string, { hit: Hit; count: number }>();
  for (const hit of hits) {
    const known = added.get(nameOf(hit));
    if (known) known.count += 1;
    else added.set(nameOf(hit), { hit, count: 1 });
  }
  // A statement may contain each bucket once, so further windows of the same bucket go to further statements.
  const taken = new Map<string, number>();
  const rounds: { hit: Hit; count: number }[][] = [];
  for (const entry of added.values()) {
    const round = taken.get(entry.hit.bucket) ?? 0;
    taken.set(entry.hit.bucket, round + 1);
    (rounds[round] ??= []).push(entry);
  }
  const totals = new Map<string, number>();
  for (const round of rounds) {
    const { rows } = await runPrepared(
      db,
      sql<{ bucket: string; count: number }>`
        insert into rate_limits as r (bucket, window_start, count)
        select * from unnest(${round.map(({ hit }) => hit.bucket)}::text[],
          ${round.map(({ hit }) => hit.windowStart)}::bigint[], ${round.map(({ count }) => count)}::int[])
        as t (bucket, window_start, count) order by bucket
        on conflict (bucket) do update set
          count = case when r.window_start = excluded.window_start then r.count + excluded.count else excluded.count end,
          window_start = excluded.window_start
        returning bucket, count`,
    );
    const counts = new Map(rows.map((row) => [row.bucket, row.count]));
    for (const { hit, count } of round) totals.set(nameOf(hit), (counts.get(hit.bucket) ?? count) - count);
  }
  return hits.map((hit) => {
    const count = (totals.get(nameOf(hit)) ?? 0) + 1;
    totals.set(nameOf(hit), count);
    return count;
  });
}

/**
 * Counts a request of `key` (`user:7`, `address:127.0.0.1`) against a limit, in a fixed window that all processes
 * share. If the database cannot count it, `isCounted` is false: reads are then allowed, and attempts to guess secrets
 * are rejected by `enforceRateLimit`.
 *
 * @spec Rate limits
 */
export async function takeRateLimit(context: Context, name: RateLimitName, key: string): Promise<RateState> {
  const { requests, seconds } = rateLimits[name];
  const nowSeconds = context.clock.now().getTime() / 1000;
  const windowStart = Math.floor(nowSeconds / seconds) * seconds;
  let count = 1;
  let isCounted = true;
  try {
    count = await counterOf(context.db)({ bucket: `${name}:${key}`, windowStart });
  } catch (error) {
    isCounted = false;
    context.log.warn({ err: error }, 'the rate limit could not be counted');
  }
  const resetsAt = windowStart + seconds;
  return {
    limit: requests,
    remaining: Math.max(0, requests - count),
    resetsAt,
    retryAfterSeconds: Math.max(1, Math.ceil(resetsAt - nowSeconds)),
    isExceeded: count > requests,
    isCounted,
  };
}

/** Deletes windows that started more than an hour ago. */
export async function sweepRateLimits(context: Context): Promise<void> {
  const before = Math.floor(context.clock.now().getTime() / 1000) - 3600;
  await context.db.deleteFrom('rate_limits').where('window_start', '<', before).execute();
}
