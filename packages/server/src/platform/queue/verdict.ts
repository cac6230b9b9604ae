import type { Tx } from '../db/database.ts';

/** Outcome of an attempt that returned. An attempt that throws has no verdict. */
export type Verdict =
  | { readonly kind: 'done'; readonly record?: (tx: Tx) => Promise<void> }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'snooze'; readonly seconds: number; readonly message?: string };

/**
 * Returns a verdict that completes the job. `record` writes the results and emits events in the transaction that
 * completes it. Nothing is written if the attempt has lost its lease.
 */
export function done(record?: (tx: Tx) => Promise<void>): Verdict {
  return { kind: 'done', record };
}

/** Returns a verdict that fails the job without another attempt. `message` is shown to the user. */
export function fail(message: string): Verdict {
  return { kind: 'fail', message };
}

/** Returns a verdict that requeues the job for `seconds` without counting the attempt. */
export function snooze(seconds: number, message?: string): Verdict {
  return { kind: 'snooze', seconds, message };
}
