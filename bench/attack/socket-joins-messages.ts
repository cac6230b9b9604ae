/** What the attacking process is told, once. */
export interface JoinAttackOrder {
  /** Where the sockets are opened, with version and token. */
  readonly url: string;
  readonly sockets: number;
  /** Joins that each socket sends in one go, and the time between two goes in milliseconds. */
  readonly joinsAtOnce: number;
  readonly everyMs: number;
}

/** What the attacking process has seen so far. */
export interface JoinAttackCounts {
  /** Sockets that were opened, and upgrades that were refused. */
  opened: number;
  refused: number;
  /** Sockets that the service closed. */
  closed: number;
  /** Joins that were sent, and replies to them by their reason. */
  joins: number;
  replies: Record<string, number>;
}
