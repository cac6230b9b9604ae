import { Client } from 'pg';
import type { Logger } from 'pino';
import { pause } from '../clock.ts';
import { type Connection, clientConfig } from './connection.ts';

/** Listener for database notifications on a dedicated connection. */
export interface Listener {
  /**
   * Calls `onNotification` for each notification on a channel, and `back` when the connection is restored after a loss. Returns
   * a function that unsubscribes.
   */
  listen(
    channel: string,
    onNotification: (payload: string) => void,
    back: () => void,
  ): Promise<() => Promise<void>>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Subscriber {
  onNotification(payload: string): void;
  back(): void;
}

/** Heartbeat settings of a listener. */
export interface ListenerOptions {
  /** Interval between heartbeats, in ms. */
  readonly heartbeatMs: number;
  /** Maximum time for a reply to a heartbeat, in ms. */
  readonly answerMs: number;
}

const defaults: ListenerOptions = { heartbeatMs: 10_000, answerMs: 5000 };
const longestPauseMs = 2000;
/** Application name of the listening connection in the database's list of connections. */
export const listenerName = 'stem-studio-listener';

/**
 * Creates a listener that keeps one connection for LISTEN and reconnects when it breaks. Notifications in between are
 * lost: the subscribers' `back` is called, and they must check for changes.
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
    // A client-side timeout is needed too: an interrupted network reports no error.
    const fresh = new Client({
      ...clientConfig(connection, answerMs),
      query_timeout: answerMs,
      application_name: listenerName,
    });
    fresh.on('error', () => undefined);
    fresh.on('end', () => lost(fresh));
    fresh.on('notification', ({ channel, payload }) => {
      for (const subscriber of channels.get(channel) ?? []) subscriber.onNotification(payload ?? '');
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
      // Detects a connection that died without an error.
      heartbeat = setInterval(() => {
        const asked = client;
        asked?.query('select 1').catch(() => {
          asked.end().catch(() => undefined);
          lost(asked);
        });
      }, heartbeatMs).unref();
    },
    listen: async (channel, onNotification, back) => {
      const subscribers = channels.get(channel) ?? new Set<Subscriber>();
      const subscriber = { onNotification, back };
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
      // The connection may just have been restored.
      for (const open of [last, client as Client | null]) await open?.end().catch(() => undefined);
    },
  };
}
