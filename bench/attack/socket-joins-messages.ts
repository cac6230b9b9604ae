/** Settings of the attacking process, sent once. */
export interface JoinAttackOrder {
  /** URL of the sockets, with version and token. */
  readonly url: string;
  readonly sockets: number;
  /** Joins in each burst of a socket, and the time between two bursts in milliseconds. */
  readonly joinsAtOnce: number;
  readonly everyMs: number;
}

/** Counts of the attacking process so far. */
export interface JoinAttackCounts {
  /** Opened sockets, and rejected upgrades. */
  opened: number;
  refused: number;
  /** Sockets closed by the service. */
  closed: number;
  /** Sent joins, and replies to them by reason. */
  joins: number;
  replies: Record<string, number>;
}
