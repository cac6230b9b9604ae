import { type RateLimitName, rateLimits } from '@stem-studio/contract/limits';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';

/** Where a caller stands in the present window of one limit. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, in epoch seconds. */
  readonly resetsAt: number;
  readonly retryAfterSeconds: number;
  readonly isExceeded: boolean;
}

/**
 * Counts one request of `key` (`user:7`, `address:127.0.0.1`) against a limit, in a fixed window that all processes
 * share. When the database cannot be reached, the request is let through: what it asks for will say so.
 *
 * @spec Limits
 */
export async function takeRateLimit(context: Context, name: RateLimitName, key: string): Promise<RateState> {
  const { requests, seconds } = rateLimits[name];
  const nowSeconds = context.clock.now().getTime() / 1000;
  const windowStart = Math.floor(nowSeconds / seconds) * seconds;
  const bucket = `${name}:${key}`;
  let count = 1;
  try {
    const result = await sql<{ count: number }>`
      insert into rate_limits as r (bucket, window_start, count) values (${bucket}, ${windowStart}, 1)
      on conflict (bucket) do update set
        count = case when r.window_start = excluded.window_start then r.count + 1 else 1 end,
        window_start = excluded.window_start
      returning count`.execute(context.db);
    count = result.rows[0]?.count ?? 1;
  } catch (error) {
    context.log.warn({ err: error }, 'the rate limit could not be counted');
  }
  const resetsAt = windowStart + seconds;
  return {
    limit: requests,
    remaining: Math.max(0, requests - count),
    resetsAt,
    retryAfterSeconds: Math.max(1, Math.ceil(resetsAt - nowSeconds)),
    isExceeded: count > requests,
  };
}

/** Forgets windows that ended more than an hour ago. */
export async function sweepRateLimits(context: Context): Promise<void> {
  const before = Math.floor(context.clock.now().getTime() / 1000) - 3600;
  await context.db.deleteFrom('rate_limits').where('window_start', '<', before).execute();
}
