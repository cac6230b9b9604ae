/** What a crowd is told: to open sockets and join, or how many messages to wait for in all. */
export type CrowdOrder =
  | { readonly enter: readonly { readonly url: string; readonly topic: string | null }[] }
  | { readonly expect: number };

/** What a crowd tells: that it is in, that it listens, or how long each message took, in milliseconds. */
export type CrowdReport =
  | { readonly entered: number }
  | { readonly listening: true }
  | { readonly latencies: readonly number[] };
