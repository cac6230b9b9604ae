import { type Channel, Socket, type SocketConnectOption } from 'phoenix';
import { WebSocket as WsClient } from 'ws';
import { eventually } from './eventually.ts';
import type { TestLifetime } from './test-context.ts';

/** Returns the address of a socket of a service that listens at `address`. */
export function socketUrl(address: string, path: '/socket' | '/live' = '/socket'): string {
  return `${address.replace('http', 'ws')}${path}`;
}

/** Connects the public client with short reconnect delays; disconnected after the test. */
export function connectClient(
  t: TestLifetime,
  url: string,
  options: Partial<SocketConnectOption> & { authToken?: string },
): Socket {
  const socket = new Socket(url, {
    transport: WebSocket as unknown as new (endpoint: string) => object,
    reconnectAfterMs: () => 20,
    rejoinAfterMs: () => 20,
    ...options,
  });
  socket.connect();
  t.after(() => new Promise<void>((resolve) => socket.disconnect(() => resolve())));
  return socket;
}

/** Reply to a join. */
export interface JoinReply {
  readonly status: 'ok' | 'error';
  readonly response: Record<string, unknown>;
}

/** Joins a topic. A rejected channel leaves, because the client would retry forever. */
export function joined(one: Channel): Promise<JoinReply> {
  return new Promise((resolve) => {
    one
      .join()
      .receive('ok', (response) => resolve({ status: 'ok', response }))
      .receive('error', (response) => {
        one.leave();
        resolve({ status: 'error', response });
      });
  });
}

/** Waits until a condition holds. Fails with the condition, or the value of `shown`, on timeout. */
export async function until(holds: () => boolean, shown: () => unknown = () => String(holds)): Promise<void> {
  await eventually(
    () => (holds() ? null : { shown: shown() }),
    (unmet) => unmet === null,
  );
}

/** A client that sends exactly the given messages, also those that the public client would not send. */
export interface RawClient {
  /** 101, or the status of the rejection. */
  readonly status: number;
  readonly client: WsClient;
  /** Code and reason of the close. */
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Text messages received but not yet read by `next`. */
  readonly frames: unknown[][];
  /** Returns the next text message. */
  next(): Promise<unknown[]>;
  send(frame: unknown): void;
}

/** Opens a socket at `url` (without `/websocket`). */
export async function rawClient(
  t: TestLifetime,
  url: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<RawClient> {
  const client = new WsClient(`${url}/websocket?${query}`, { headers });
  t.after(() => client.terminate());
  const frames: unknown[][] = [];
  let arrived = Promise.withResolvers<void>();
  client.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return;
    frames.push(JSON.parse(data.toString()) as unknown[]);
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    client.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  const status = await new Promise<number>((resolve) => {
    client.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    client.on('open', () => resolve(101));
    client.on('error', () => undefined);
  });
  return {
    status,
    client,
    closed,
    frames,
    next: async () => {
      while (frames.length === 0) await arrived.promise;
      return frames.shift() ?? [];
    },
    send: (frame) => client.send(JSON.stringify(frame)),
  };
}
