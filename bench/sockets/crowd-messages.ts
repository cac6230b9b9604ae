/** Command for the client process: open sockets and join, or wait for a number of messages in all. */
export type CrowdOrder =
  | { readonly enter: readonly { readonly url: string; readonly topic: string | null }[] }
  | { readonly expect: number };

/** Report of the client process: joined, listening, or the delay of each message in milliseconds. */
export type CrowdReport =
  | { readonly entered: number }
  | { readonly listening: true }
  | { readonly latencies: readonly number[] };
