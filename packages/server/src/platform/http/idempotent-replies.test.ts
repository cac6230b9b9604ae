import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint } from '@stem-studio/contract/endpoint';
import { dataOf } from '@stem-studio/contract/envelope';
import { z } from 'zod';
import { createApp } from '../../app.ts';
import { createContext } from '../../context.ts';
import { fakeAuthenticator } from '../../testing/fake-authenticator.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { openTestContext, type TestLifetime } from '../../testing/test-context.ts';
import { insertTestUser } from '../../testing/test-user.ts';
import { pause } from '../clock.ts';
import { failure, stateForbids } from '../errors.ts';
import type { Feature } from '../feature.ts';
import { sweepIdempotentReplies } from './idempotent-replies.ts';
import { route, withStatus } from './route.ts';

const order = endpoint({
  method: 'POST',
  path: '/api/orders',
  summary: 'Counts how often it really ran',
  auth: 'api',
  scope: 'tracks:write',
  answersOnce: true,
  status: 201,
  body: z.strictObject({ what: z.string(), many: z.int().default(1) }),
  reply: dataOf(z.object({ what: z.string(), run: z.int() })),
});

/** Opens two processes with one database. `kitchen` counts the runs of the handler and can delay it. */
async function open(t: TestLifetime) {
  const kitchen = { runs: 0, wait: Promise.resolve() };
  const feature: Feature = {
    name: 'orders',
    routes: (app, context) => {
      route(app, context, order, async ({ body }) => {
        kitchen.runs += 1;
        await kitchen.wait;
        if (body.what === 'nothing') throw stateForbids('TRACK_NOT_DOWNLOADED', `refused ${kitchen.runs}`);
        if (body.what === 'broken') throw failure('catalog_error', `failed ${kitchen.runs}`);
        const data = { data: { what: body.what, run: kitchen.runs } };
        return body.what === 'old' ? withStatus(200, data) : data;
      });
    },
  };
  const clock = createTestClock();
  const context = await openTestContext(t, { clock });
  const [user, other] = [await insertTestUser(context), await insertTestUser(context)];
  const first = await createApp(context, [feature], fakeAuthenticator);
  context.beforeClose(() => first.stop());
  const options = { connection: context.connection, workers: [], pipeline: {}, clock, isSupervising: false };
  const opened = await createContext(context.config, options);
  context.beforeClose(() => opened.close());
  const second = await createApp(opened.context, [feature], fakeAuthenticator);
  context.beforeClose(() => second.stop());
  const ask = async (
    payload: object,
    key: string | undefined,
    where: 'first' | 'second' = 'first',
    as = user,
  ) => {
    const reply = await (where === 'first' ? first : second).http.inject({
      method: 'POST',
      url: order.path,
      headers: { authorization: `Bearer ${as.id}`, ...(key !== undefined && { 'idempotency-key': key }) },
      payload,
    });
    const isRepeated = reply.headers['idempotent-replayed'] === 'true';
    return { status: reply.statusCode, text: reply.body, body: reply.json(), isRepeated };
  };
  return { kitchen, ask, clock, context, user, other };
}

test('repeats the first reply, status and body, for the same request and key in every process', async (t) => {
  const { ask, kitchen } = await open(t);
  const first = await ask({ what: 'tea' }, 'k1');
  assert.deepEqual([first.status, first.body.data.run, first.isRepeated], [201, 1, false]);
  for (const where of ['first', 'second'] as const) {
    const again = await ask({ what: 'tea' }, 'k1', where);
    assert.deepEqual([again.status, again.text, again.isRepeated], [201, first.text, true]);
  }
  // Omitted and explicit defaults are equal.
  assert.equal((await ask({ many: 1, what: 'tea' }, 'k1')).isRepeated, true);
  assert.equal((await ask({ what: 'old' }, 'k2')).status, 200);
  assert.equal((await ask({ what: 'old' }, 'k2')).status, 200);
  assert.equal(kitchen.runs, 2);
});

test('executes requests without a key, with another key, or of another user separately', async (t) => {
  const { ask, kitchen, other } = await open(t);
  await ask({ what: 'tea' }, 'k');
  await ask({ what: 'tea' }, undefined);
  await ask({ what: 'tea' }, undefined);
  await ask({ what: 'tea' }, 'K');
  assert.equal((await ask({ what: 'coffee' }, 'k', 'first', other)).status, 201);
  assert.equal(kitchen.runs, 5);
});

test('rejects a key with a different request with 422, and keeps the first reply', async (t) => {
  const { ask, kitchen } = await open(t);
  await ask({ what: 'tea' }, 'k');
  const reused = await ask({ what: 'tea', many: 2 }, 'k', 'second');
  assert.deepEqual(
    [reused.status, reused.body.code, reused.body.details],
    [422, 'IDEMPOTENCY_KEY_REUSED', {}],
  );
  assert.equal((await ask({ what: 'tea' }, 'k')).body.data.run, 1);
  assert.equal(kitchen.runs, 1);
});

test('runs concurrent identical requests to two processes once, with the same reply', async (t) => {
  const { ask, kitchen } = await open(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  kitchen.wait = promise;
  const twins = Array.from({ length: 8 }, (_, i) =>
    ask({ what: 'tea' }, 'k', i % 2 === 0 ? 'first' : 'second'),
  );
  // One of the requests is running in either process.
  while (kitchen.runs === 0) await pause(5);
  const stranger = await ask({ what: 'coffee' }, 'k');
  assert.equal(stranger.status, 422);
  resolve();
  const answers = await Promise.all(twins);
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
  assert.deepEqual([kitchen.runs, answers.filter(({ isRepeated }) => !isRepeated).length], [1, 1]);
});

test('repeats rejections, but not server failures and unreadable requests', async (t) => {
  const { ask, kitchen } = await open(t);
  const refused = await ask({ what: 'nothing' }, 'k1');
  assert.equal(refused.status, 422);
  assert.deepEqual((await ask({ what: 'nothing' }, 'k1')).text, refused.text);
  assert.equal(kitchen.runs, 1);
  assert.match((await ask({ what: 'broken' }, 'k2')).body.error, /failed 2/);
  assert.match((await ask({ what: 'broken' }, 'k2')).body.error, /failed 3/);
  assert.equal((await ask({ what: 5 }, 'k3')).status, 422);
  assert.equal((await ask({ what: 'tea' }, 'k3')).status, 201);
});

test('rejects an invalid key with 400', async (t) => {
  const { ask, kitchen } = await open(t);
  for (const key of ['', 'two parts', 'ü', 'x'.repeat(256)])
    assert.deepEqual([(await ask({ what: 'tea' }, key)).status, key], [400, key]);
  assert.equal(kitchen.runs, 0);
});

test('releases a key after 24 hours, and deletes expired replies', async (t) => {
  const { ask, clock, context } = await open(t);
  await ask({ what: 'tea' }, 'k');
  clock.advance(86_300);
  assert.equal((await ask({ what: 'tea' }, 'k')).isRepeated, true);
  clock.advance(200);
  assert.equal((await ask({ what: 'coffee' }, 'k')).body.data.run, 2);
  clock.advance(86_500);
  await sweepIdempotentReplies(context);
  assert.deepEqual(await context.db.selectFrom('idempotent_replies').selectAll().execute(), []);
});

test('executes a request again if the process of the first one died', async (t) => {
  const { ask, clock, context, user, kitchen } = await open(t);
  const now = clock.now();
  await ask({ what: 'tea' }, 'k');
  // State while the first request is in progress.
  await context.db
    .updateTable('idempotent_replies')
    .set({ status: null, body: null, claimed_until: new Date(now.getTime() - 1000) })
    .where('user_id', '=', user.id)
    .execute();
  const answer = await ask({ what: 'tea' }, 'k', 'second');
  assert.deepEqual([answer.status, answer.isRepeated, kitchen.runs], [201, false, 2]);
});
