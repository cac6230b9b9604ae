import { insertTestUser } from '@stem-studio/server/testing/test-user';
import type { Arena } from './arena.ts';
import { attackBySocketJoins } from './socket-joins.ts';

/** Opens 100 sockets of one user, which join topics that do not exist. */
export async function joinUnknownTopics(arena: Arena): Promise<string> {
  const target = await arena.start(await arena.open());
  const attacker = await insertTestUser(target.context);
  const victim = await insertTestUser(target.context);
  const { opened, joins, tracks, health } = await attackBySocketJoins({
    address: target.address,
    attackerToken: attacker.token,
    victimToken: victim.token,
  });
  const latencies = [tracks, health].map(
    ({ max, p95 }) => `max ${Math.round(max)}, p95 ${Math.round(p95)} ms`,
  );
  return `${opened} sockets sent ${joins} joins; tracks of another user ${latencies[0]}, /health ${latencies[1]}`;
}
