import type { Logger } from 'pino';
import { z } from 'zod';
import type { Db } from '../db/database.ts';
import type { Listener } from '../db/listener.ts';

declare module '../context.ts' {
  interface Context {
    readonly bus: Bus;
  }
}

/** A message between processes. */
export interface BusMessage {
  readonly topic: string;
  readonly event: string;
  readonly payload: Record<string, unknown>;
  /** The payload where it is bytes; then `payload` is empty. */
  readonly bytes?: Uint8Array | undefined;
  /** The socket that caused it. */
  readonly from?: string | undefined;
}

/** Hears what any process of the service publishes. */
export interface Bus {
  /** Calls `heard` for each message on a topic, in the order of the commits, until the answer is called. */
  subscribe(topic: string, heard: (message: BusMessage) => void): () => void;
  /** The topics that begin so and that somebody in this process subscribes to. */
  topicsOf(prefix: string): string[];
  /** Called when the connection was lost and is back: messages may have been missed in between. */
  onGap(back: () => void): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Name of the notification channel. */
export const busChannel = 'stem_studio';
/** Messages that travel through the table are read at once; they may go after this long. */
const keptSeconds = 300;

/** `[topic, event, payload, from]`; a payload that is a string is bytes in base64. */
const wireMessage = z.tuple([
  z.string(),
  z.string(),
  z.union([z.record(z.string(), z.unknown()), z.base64()]),
  z.string().optional(),
]);

/** A message as it is notified. */
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

/** A bus over LISTEN/NOTIFY. */
export function createBus(db: Db, listener: Listener, log: Logger): Bus {
  const topics = new Map<string, Set<(message: BusMessage) => void>>();
  const gaps = new Set<() => void>();
  let unlisten: (() => Promise<void>) | undefined;
  // Messages are handed on one after the other, although some must be fetched first.
  let last: Promise<void> = Promise.resolve();
  let isIdle = true;

  const deliver = (body: string) => {
    const message = fromWire(body);
    for (const heard of topics.get(message.topic) ?? []) {
      try {
        heard(message);
      } catch (error) {
        // One who cannot take it does not keep it from the others.
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
    subscribe: (topic, heard) => {
      const all = topics.get(topic) ?? new Set();
      topics.set(topic, all.add(heard));
      return () => {
        all.delete(heard);
        if (all.size === 0) topics.delete(topic);
      };
    },
    topicsOf: (prefix) => [...topics.keys()].filter((topic) => topic.startsWith(prefix)),
    onGap: (back) => {
      gaps.add(back);
      return () => gaps.delete(back);
    },
    start: async () => {
      unlisten = await listener.listen(busChannel, receive, () => {
        for (const back of gaps) back();
      });
    },
    stop: async () => {
      await unlisten?.();
      topics.clear();
      gaps.clear();
    },
  };
}

/** Removes bodies of long messages that everybody has read. */
export async function sweepBusMessages(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptSeconds * 1000);
  await db.deleteFrom('bus_messages').where('created_at', '<', before).execute();
}
