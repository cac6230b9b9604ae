import type { Tx } from '../db/database.ts';

/** What a worker says about an attempt that ran to its end. A throw says the rest. */
export type Verdict =
  | { readonly kind: 'done'; readonly record?: (tx: Tx) => Promise<void> }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'snooze'; readonly seconds: number; readonly message?: string };

/**
 * The work is whole. `record` writes its result rows and emits what follows, in the one transaction that completes the
 * job; if the job is no longer this attempt's, nothing is written.
 */
export function done(record?: (tx: Tx) => Promise<void>): Verdict {
  return { kind: 'done', record };
}

/** It cannot be done, and asking again would not help. The user reads `message`. */
export function fail(message: string): Verdict {
  return { kind: 'fail', message };
}

/** Not now: put it back for `seconds`, without using up an attempt. */
export function snooze(seconds: number, message?: string): Verdict {
  return { kind: 'snooze', seconds, message };
}
