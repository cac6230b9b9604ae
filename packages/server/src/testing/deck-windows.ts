import assert from 'node:assert/strict';
import { topicOf } from '@stem-studio/contract/channel';
import {
  type DeckEvent,
  type DeckPush,
  type DeckPushEvent,
  type DeckWelcome,
  deckChannel,
  deckReply,
  deckWelcome,
} from '@stem-studio/contract/events/decks';
import { type Channel, Socket } from 'phoenix';
import { WebSocket as WsClient } from 'ws';
import type { Context } from '../platform/context.ts';
import { enrol, type Person } from './roles/enrol.ts';
import { joined, socketUrl } from './socket-client.ts';
import type { TestLifetime } from './test-context.ts';

/** A logged-in browser: its cookie, and the CSRF token of its pages. */
export interface Login {
  readonly cookie: string;
  readonly csrf: string;
}

/** Logs a user in with a separate browser. */
export async function logIn(context: Context, user: Pick<Person, 'id' | 'email'>): Promise<Login> {
  const caller = { name: 'owner', standing: 'owner', way: 'cookie', hasCsrf: true } as const;
  const { cookie = '', 'x-csrf-token': csrf = '' } = await enrol(context, caller, { ...user, mark: '' }, '');
  return { cookie, csrf };
}

/** Returns the public client for the live socket, set up as a page of that login does; not yet connected. */
export function liveSocket(t: TestLifetime, address: string, { cookie, csrf }: Login): Socket {
  class Transport extends WsClient {
    constructor(url: string) {
      super(url, { headers: { cookie, origin: address } });
    }
  }
  const socket = new Socket(socketUrl(address, '/live'), {
    transport: Transport as unknown as new (endpoint: string) => object,
    params: { _csrf_token: csrf },
    reconnectAfterMs: () => 20,
    rejoinAfterMs: () => 20,
  });
  t.after(() => new Promise<void>((resolve) => socket.disconnect(() => resolve())));
  return socket;
}

/** Reply to a message. */
export type Answered =
  | { readonly ok: ReturnType<typeof deckReply.parse> }
  | { readonly error: Readonly<Record<string, unknown>> };

/** A window that has joined a deck session. */
export interface DeckWindow {
  readonly socket: Socket;
  readonly channel: Channel;
  readonly welcome: DeckWelcome;
  /** Pushes received so far. */
  readonly pushes: DeckPush[];
  /** Sends a message with any payload, also an invalid one. */
  readonly send: (event: string, payload: object) => Promise<Answered>;
  /** Sends a message and returns its success reply. Fails on an error reply. */
  readonly act: (event: DeckEvent, payload: object) => Promise<ReturnType<typeof deckReply.parse>>;
}

/** Opens a window of a login. */
export async function openDeckWindow(
  t: TestLifetime,
  address: string,
  login: Login,
  deckSessionId = 'current',
): Promise<DeckWindow> {
  const socket = liveSocket(t, address, login);
  socket.connect();
  const channel = socket.channel(topicOf(deckChannel, { deck_session_id: deckSessionId }));
  const pushes: DeckPush[] = [];
  for (const event of Object.keys(deckChannel.pushes) as DeckPushEvent[])
    channel.on(event, (payload: unknown) => {
      pushes.push({ event, ...deckChannel.pushes[event].parse(payload) } as DeckPush);
    });
  const reply = await joined(channel);
  assert.equal(reply.status, 'ok', JSON.stringify(reply.response));
  const send: DeckWindow['send'] = (event, payload) =>
    new Promise((resolve) => {
      channel
        .push(event, payload)
        .receive('ok', (reply: unknown) => resolve({ ok: deckReply.parse(reply) }))
        .receive('error', (error: Record<string, unknown>) => resolve({ error }));
    });
  return {
    socket,
    channel,
    welcome: deckWelcome.parse(reply.response),
    pushes,
    send,
    async act(event, payload) {
      const answered = await send(event, payload);
      if ('error' in answered) assert.fail(JSON.stringify(answered.error));
      return answered.ok;
    },
  };
}
