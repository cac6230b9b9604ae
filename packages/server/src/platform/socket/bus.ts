import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Listener } from '../db/listener.ts';

declare module '../context.ts' {
  interface Context {
    readonly bus: Bus;
  }
}

/** Message between processes. */
export interface BusMessage {
  readonly topic: string;
  readonly event: string;
  readonly payload: Record<string, unknown>;
  /** Binary payload; `payload` is then empty. */
  readonly bytes?: Uint8Array | undefined;
  /** Id of the socket that caused the message. */
  readonly from?: string | undefined;
}

/** Message bus between all processes of the service. */
export interface Bus {
  /** Calls `onMessage` for each message on a topic, in commit order. Returns a function that unsubscribes. */
  subscribe(topic: string, onMessage: (message: BusMessage) => void): () => void;
  /**
   * Returns for how many milliseconds, 60,000 at most, this process has received every message and none of them was on
   * the topic. A client that joins need not fetch again what it has fetched within that time.
   */
  quietMs(topic: string): number;
  /** Returns the topics with this prefix that have subscribers in this process. */
  topicsOf(prefix: string): string[];
  /**
   * Calls `back` when the connection is restored after a loss, because messages may have been missed. Returns a
   * function that removes the callback.
   */
  onGap(back: () => void): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Name of the PostgreSQL notification channel. */
export const busChannel = 'stem_studio';
/** Retention of messages stored in the table, in seconds. They are normally read at once. */
const keptSeconds = 300;

/** Time for which the last message of a topic is remembered, in ms. */
const rememberedMs = 60_000;

/** `[topic, event, payload, from]`; a string as payload is base64-encoded bytes. */
const wireMessage = z.tuple([
  z.string(),
  z.string(),
  z.union([z.record(z.string(), z.unknown()), z.base64()]),
  z.string().optional(),
]);

/** Returns the notification text of a message. */
export function toWire({ topic, event, payload, bytes, from }: BusMessage): string {
  const content = bytes ? Buffer.from(bytes).toString('base64') : payload;
  return JSON.stringify(from === undefined ? [topic, event, content] : [topic, event, content, from]);
}

function fromWire(text: string): BusMessage {
  const [topic, event, content, from] = wireMessage.parse(JSON.parse(text));
  return typeof content === 'string'
    ? { topic, event, payload: {}, bytes: Buffer.from(content, 'base64'), from }
    : { topic, event, payload: content, from };
}

/** Creates a bus over LISTEN/NOTIFY. */
export function createBus(db: Db, listener: Listener, log: Logger, clock: Clock): Bus {
  const topics = new Map<string, Set<(message: BusMessage) => void>>();
  const gaps = new Set<() => void>();
  let unlisten: (() => Promise<void>) | undefined;
  // Messages are delivered in order, although long ones must be fetched first.
  let last: Promise<void> = Promise.resolve();
  let isIdle = true;
  // Times of the last message of each topic, oldest first; `listeningSinceMs` is the start, or the end of the last gap.
  const lastMs = new Map<string, number>();
  let listeningSinceMs = Number.POSITIVE_INFINITY;
  const remember = (topic: string) => {
    const nowMs = clock.monotonicMs();
    lastMs.delete(topic);
    lastMs.set(topic, nowMs);
    for (const [old, atMs] of lastMs) {
      if (nowMs - atMs <= rememberedMs) break;
      lastMs.delete(old);
    }
  };

  const deliver = (body: string) => {
    const message = fromWire(body);
    remember(message.topic);
    for (const onMessage of topics.get(message.topic) ?? []) {
      try {
        onMessage(message);
      } catch (error) {
        // A failing subscriber must not keep the message from the others.
        log.error({ err: error, topic: message.topic }, 'a message between processes was not taken');
      }
    }
  };
  const fetchBody = async (id: number) => {
    const row = await db.selectFrom('bus_messages').select('body').where('id', '=', id).executeTakeFirst();
    return row?.body;
  };
  const receive = (text: string) => {
    const isReference = /^\d+$/.test(text);
    const failed = (error: unknown) =>
      log.error({ err: error }, 'a message between processes could not be read');
    if (isIdle && !isReference) {
      try {
        deliver(text);
      } catch (error) {
        failed(error);
      }
      return;
    }
    isIdle = false;
    const mine = last
      .then(async () => {
        const body = isReference ? await fetchBody(Number(text)) : text;
        if (body !== undefined) deliver(body);
      })
      .catch(failed);
    last = mine;
    void mine.then(() => {
      if (last === mine) isIdle = true;
    });
  };

  return {
    subscribe: (topic, onMessage) => {
      const all = topics.get(topic) ?? new Set();
      topics.set(topic, all.add(onMessage));
      return () => {
        all.delete(onMessage);
        if (all.size === 0) topics.delete(topic);
      };
    },
    quietMs: (topic) => {
      const sinceMs = Math.max(listeningSinceMs, lastMs.get(topic) ?? 0);
      return Math.round(Math.max(0, Math.min(rememberedMs, clock.monotonicMs() - sinceMs)));
    },
    topicsOf: (prefix) => [...topics.keys()].filter((topic) => topic.startsWith(prefix)),
    onGap: (back) => {
      gaps.add(back);
      return () => gaps.delete(back);
    },
    start: async () => {
      unlisten = await listener.listen(busChannel, receive, () => {
        listeningSinceMs = clock.monotonicMs();
        for (const back of gaps) back();
      });
      listeningSinceMs = clock.monotonicMs();
    },
    stop: async () => {
      await unlisten?.();
      topics.clear();
      gaps.clear();
    },
  };
}

/** Deletes the bodies of long messages that all processes have read. */
export async function sweepBusMessages(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptSeconds * 1000);
  await db.deleteFrom('bus_messages').where('created_at', '<', before).execute();
}
