import { Client } from 'pg';
import type { Logger } from 'pino';
import { pause } from '../clock.ts';
import { type Connection, clientConfig } from './connection.ts';

/** Hears notifications of the database on one connection that is its own. */
export interface Listener {
  /** Calls `heard` for each notification on a channel. `back` is called when the connection is there again after a loss. */
  listen(channel: string, heard: (payload: string) => void, back: () => void): Promise<() => Promise<void>>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Subscriber {
  heard(payload: string): void;
  back(): void;
}

/** How a listener notices that its connection is dead. */
export interface ListenerOptions {
  /** It is asked so often whether it lives, in milliseconds; */
  readonly heartbeatMs: number;
  /** and has to answer within this. */
  readonly answerMs: number;
}

const defaults: ListenerOptions = { heartbeatMs: 10_000, answerMs: 5000 };
const longestPauseMs = 2000;
/** What a listening connection is called in the database's own list of connections. */
export const listenerName = 'stem-studio-listener';

/**
 * Opens one connection for LISTEN, and a new one whenever it breaks. What was notified in between is lost: the
 * subscribers are told, and look for themselves.
 */
export function createListener(
  connection: Connection,
  log: Logger,
  { heartbeatMs, answerMs }: ListenerOptions = defaults,
): Listener {
  const channels = new Map<string, Set<Subscriber>>();
  const stopping = new AbortController();
  let client: Client | null = null;
  let reconnecting: Promise<void> | null = null;
  let heartbeat: NodeJS.Timeout | undefined;

  const connect = async () => {
    // An answer that never comes is noticed on our side too: a cut network says nothing.
    const fresh = new Client({
      ...clientConfig(connection, answerMs),
      query_timeout: answerMs,
      application_name: listenerName,
    });
    fresh.on('error', () => undefined);
    fresh.on('end', () => lost(fresh));
    fresh.on('notification', ({ channel, payload }) => {
      for (const subscriber of channels.get(channel) ?? []) subscriber.heard(payload ?? '');
    });
    try {
      await fresh.connect();
      for (const channel of channels.keys()) await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`);
    } catch (error) {
      fresh.end().catch(() => undefined);
      throw error;
    }
    client = fresh;
  };
  const lost = (which: Client) => {
    if (client !== which) return;
    client = null;
    if (!stopping.signal.aborted) reconnecting ??= reconnect().finally(() => (reconnecting = null));
  };
  const reconnect = async () => {
    log.warn('the connection that listens to the database was lost');
    for (let pauseMs = 50; !stopping.signal.aborted; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        await connect();
        log.info('listening to the database again');
        for (const subscribers of channels.values()) for (const subscriber of subscribers) subscriber.back();
        return;
      } catch (error) {
        log.debug({ err: error }, 'the database cannot be listened to yet');
      }
      await pause(pauseMs, stopping.signal);
    }
  };

  return {
    start: async () => {
      await connect();
      // A connection that died without a word is noticed here.
      heartbeat = setInterval(() => {
        const asked = client;
        asked?.query('select 1').catch(() => {
          asked.end().catch(() => undefined);
          lost(asked);
        });
      }, heartbeatMs).unref();
    },
    listen: async (channel, heard, back) => {
      const subscribers = channels.get(channel) ?? new Set<Subscriber>();
      const subscriber = { heard, back };
      subscribers.add(subscriber);
      if (!channels.has(channel)) {
        channels.set(channel, subscribers);
        await client?.query(`listen ${client.escapeIdentifier(channel)}`);
      }
      return async () => {
        subscribers.delete(subscriber);
        if (subscribers.size > 0) return;
        channels.delete(channel);
        await client?.query(`unlisten ${client.escapeIdentifier(channel)}`).catch(() => undefined);
      };
    },
    stop: async () => {
      stopping.abort();
      clearInterval(heartbeat);
      const last = client;
      client = null;
      await reconnecting;
      // It may just have come back.
      for (const open of [last, client as Client | null]) await open?.end().catch(() => undefined);
    },
  };
}
