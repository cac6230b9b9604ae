/** How often each of the watched requests is made, in milliseconds. */
export const watchEveryMs = 100;

/** What a watcher is told to do. */
export type WatchOrder =
  | { readonly watch: { readonly address: string; readonly headers: Readonly<Record<string, string>> } }
  | { readonly stop: true };

/** What a watcher measured, in milliseconds; a request that was never answered counts with the time it waited. */
export interface WatchReport {
  readonly health: readonly number[];
  readonly honest: readonly number[];
  /** Requests that were not answered with success. */
  readonly failures: number;
}
