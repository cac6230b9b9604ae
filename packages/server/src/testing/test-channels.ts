import { channel } from '@stem-studio/contract/channel';
import { z } from 'zod';
import { createApp } from '../app.ts';
import { failure } from '../platform/errors.ts';
import type { Feature } from '../platform/feature.ts';
import type { Authenticator } from '../platform/http/viewer.ts';
import { defineChannel } from '../platform/socket/channel.ts';
import { publish } from '../platform/socket/publish.ts';
import { fakeAuthenticator } from './fake-authenticator.ts';
import { openTestContext, type TestContext, type TestLifetime, type TestOverrides } from './test-context.ts';

/** A topic of one user with a message of every kind, for tests of the sockets: no feature has all of them. */
export const testChannel = channel({
  topic: 'tests:{owner}',
  summary: 'Test channel of one user',
  socket: '/socket/websocket',
  scope: 'tracks:read',
  params: z.object({ owner: z.coerce.number().int() }),
  pushes: { message: z.object({ text: z.string() }), drawn: z.instanceof(Uint8Array) },
  messages: {
    say: z.strictObject({ text: z.string().max(20) }),
    hold: z.strictObject({}),
    draw: z.instanceof(Uint8Array),
    refuse: z.strictObject({}),
    crash: z.strictObject({}),
    nothing: z.strictObject({}),
  },
});

/** Topics of which a user may have any number. */
const shelf = channel({
  topic: 'shelves:{owner}:{number}',
  summary: 'Numbered test channel of one user',
  socket: '/socket/websocket',
  scope: 'tracks:read',
  params: z.object({ owner: z.coerce.number().int(), number: z.coerce.number().int() }),
  pushes: {},
});

/** A test channel on the live socket. */
const liveTestChannel = channel({
  topic: 'live_tests:{owner}',
  summary: 'Test channel of one user, for pages',
  socket: '/live/websocket',
  scope: null,
  params: z.object({ owner: z.coerce.number().int() }),
  pushes: { message: z.object({ text: z.string() }) },
});

/** Promise that `hold` waits for; each service of a test has its own. */
let holding = Promise.withResolvers<void>();

const testTopic = defineChannel(testChannel, {
  join: (_context, viewer, { owner }) =>
    Promise.resolve(owner === viewer.id ? { state: `channel of ${viewer.email}` } : null),
  handlers: {
    say: async ({ payload, broadcastFrom }) => {
      await broadcastFrom('message', payload);
      return { received: payload.text };
    },
    hold: () => holding.promise,
    draw: async ({ payload, broadcastFrom }) => {
      await broadcastFrom('drawn', payload);
      return payload.toReversed();
    },
    refuse: () => Promise.reject(failure('JOB_NOT_CANCELLABLE', 'not now')),
    crash: () => Promise.reject(new Error('a handler crashed')),
    nothing: () => Promise.resolve(),
  },
});

const shelfTopic = defineChannel(shelf, {
  join: (_context, viewer, { owner }) => Promise.resolve(owner === viewer.id ? {} : null),
});

const liveTestTopic = defineChannel(liveTestChannel, {
  join: (_context, viewer, { owner }) => Promise.resolve(owner === viewer.id ? {} : null),
});

const testChannels: Feature = { name: 'tests', channels: [testTopic, shelfTopic, liveTestTopic] };

/** A running service with the test channels. */
export interface TestSockets {
  readonly context: TestContext;
  /** Address of the service. */
  readonly address: string;
  readonly stop: () => Promise<void>;
  /** Resolves every pending and future `hold`. */
  readonly release: () => void;
  /** Broadcasts a text to a test channel, as another process would. */
  readonly say: (owner: number, text: string) => Promise<void>;
}

/** Starts a service with the test channels, which uses {@link fakeAuthenticator} by default. */
export async function openTestSockets(
  t: TestLifetime,
  authenticator: Authenticator = fakeAuthenticator,
  overrides: TestOverrides = {},
): Promise<TestSockets> {
  const context = await openTestContext(t, overrides);
  holding = Promise.withResolvers();
  const service = await createApp(context, [testChannels], authenticator);
  context.beforeClose(() => service.stop());
  const address = await service.listen(0, '127.0.0.1');
  return {
    context,
    address,
    stop: () => service.stop(),
    release: () => holding.resolve(),
    say: (owner, text) => publish(context.db, testChannel, { owner }, 'message', { text }),
  };
}
