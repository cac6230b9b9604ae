import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext } from '../../context.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { openTestContext } from '../../testing/test-context.ts';
import { takeRateLimit } from './rate-limit.ts';

test('counts concurrent requests to two processes exactly once each', async (t) => {
  const clock = { ...createTestClock(), now: () => new Date('2026-01-01T00:00:01Z') };
  const one = await openTestContext(t, { clock });
  const options = { connection: one.connection, workers: [], pipeline: {}, clock, isSupervising: false };
  const other = await createContext(one.config, options);
  one.beforeClose(() => other.close());
  const users = ['user:1', 'user:2', 'user:3'];
  const states = await Promise.all(
    Array.from({ length: 90 }, (_, i) =>
      takeRateLimit(i % 2 === 0 ? one : other.context, 'api_auth', users[i % 3] ?? ''),
    ),
  );
  for (const user of users) {
    const left = states.filter((_, i) => users[i % 3] === user).map((state) => state.remaining);
    // 30 requests of each user, with 30 different counts.
    assert.deepEqual(
      left.toSorted((a, b) => b - a),
      Array.from({ length: 30 }, (_, i) => 59 - i),
    );
  }
  assert.ok(
    states.every(
      (state) => !state.isExceeded && state.resetsAt === Date.parse('2026-01-01T00:01:00Z') / 1000,
    ),
  );
});

test('counts requests before and after the end of a window separately', async (t) => {
  let seconds = 59;
  const clock = { ...createTestClock(), now: () => new Date(seconds * 1000) };
  const context = await openTestContext(t, { clock });
  const before = Array.from({ length: 3 }, () => takeRateLimit(context, 'import', 'user:1'));
  seconds = 60;
  const after = Array.from({ length: 2 }, () => takeRateLimit(context, 'import', 'user:1'));
  assert.deepEqual(
    (await Promise.all(before)).map((state) => state.remaining),
    [9, 8, 7],
  );
  assert.deepEqual(
    (await Promise.all(after)).map((state) => state.remaining),
    [9, 8],
  );
});
