import { startServiceProcess } from '@stem-studio/server/testing/service-process';
import { openTestContext } from '@stem-studio/server/testing/test-context';
import { insertTestUser } from '@stem-studio/server/testing/test-user';
import { attackBySocketJoins } from './attack/socket-joins.ts';
import type { Bench, BenchRow } from './bench.ts';

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  try {
    const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
    const context = await openTestContext(lifetime);
    const service = await startServiceProcess(context, 'serve', { NODE_ENV: 'production' });
    const [attacker, victim] = [await insertTestUser(context), await insertTestUser(context)];
    const figures = await attackBySocketJoins({
      address: service.address,
      attackerToken: attacker.token,
      victimToken: victim.token,
    });
    const { opened, refused, joins, replies } = figures;
    log(`${joins} joins on ${opened} sockets (${refused} refused): ${JSON.stringify(replies)}`);
    return (['tracks', 'health'] as const).flatMap((name) => {
      const { p50, p95, max, failures } = figures[name];
      const what = name === 'tracks' ? 'GET /api/tracks of another user' : 'GET /health';
      return [
        { what: `${what}, p50`, value: p50, unit: 'ms' },
        { what: `${what}, p95`, value: p95, unit: 'ms' },
        { what: `${what}, longest`, value: max, unit: 'ms', bar: '≤ 1000 ms' },
        { what: `${what}, failures`, value: failures, unit: 'requests', bar: '0' },
      ];
    });
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures the effect of one user's sockets on the requests of others. */
export const bench: Bench = {
  name: 'socket-joins',
  about:
    "A hundred sockets of one user that join topics without end, and how long others' requests take meanwhile.",
  run: ({ log }) => measure(log),
};
