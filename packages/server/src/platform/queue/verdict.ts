import type { Tx } from '../db/database.ts';

/** Outcome of an attempt that returned. An attempt that throws has none. */
export type Verdict =
  | { readonly kind: 'done'; readonly record?: (tx: Tx) => Promise<void> }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'snooze'; readonly seconds: number; readonly message?: string };

/**
 * Completes the job. `record` writes the results and emits events in the transaction that completes it. Nothing is
 * written where the attempt has lost its lease.
 */
export function done(record?: (tx: Tx) => Promise<void>): Verdict {
  return { kind: 'done', record };
}

/** Fails the job without another attempt. The user reads `message`. */
export function fail(message: string): Verdict {
  return { kind: 'fail', message };
}

/** Requeues the job for `seconds` without counting the attempt. */
export function snooze(seconds: number, message?: string): Verdict {
  return { kind: 'snooze', seconds, message };
}
