import type { Db, Tx } from '../db/database.ts';

/** A message between processes. */
export interface BusMessage {
  readonly topic: string;
  readonly event: string;
  readonly payload: Record<string, unknown>;
}

/** Hears what any process of the service publishes. */
export interface Bus {
  /** Calls `listener` for each message on a topic until the answer is called. */
  subscribe(topic: string, listener: (message: BusMessage) => void): () => void;
  /** Called after the connection was lost and is back: messages may have been missed in between. */
  onGap(listener: () => void): () => void;
  /** Begins to listen. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Name of the notification channel. */
export const busChannel = 'stem_studio';
export type Publisher = Db | Tx;
