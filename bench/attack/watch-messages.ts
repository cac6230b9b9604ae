/** Interval of each of the measured requests, in milliseconds. */
export const watchEveryMs = 100;

/** Command for the measuring process. */
export type WatchOrder =
  | { readonly watch: { readonly address: string; readonly headers: Readonly<Record<string, string>> } }
  | { readonly stop: true };

/** Response times in milliseconds; an unanswered request counts with the time it waited. */
export interface WatchReport {
  readonly health: readonly number[];
  readonly honest: readonly number[];
  /** Number of failed requests. */
  readonly failures: number;
}
