import { request } from 'node:http';
import { getAccount } from '@stem-studio/contract/endpoints/account';
import { logIn } from '@stem-studio/server/testing/deck-windows';
import type { Arena } from './arena.ts';

/**
 * Sends requests with another host name and a matching origin. An attacker's DNS may resolve such a name to the
 * service.
 */
export async function unknownHost(arena: Arena): Promise<string> {
  const target = await arena.start(await arena.open());
  const person = await target.register();
  const { cookie, csrf } = await logIn(target.context, person);
  const statusOf = (method: string, path: string) =>
    new Promise<number>((resolve) => {
      const host = `evil.example:${new URL(target.address).port}`;
      const headers = { host, origin: `http://${host}`, cookie, 'x-csrf-token': csrf };
      const asked = request(target.address + path, { method, headers }, (reply) => {
        reply.resume();
        resolve(reply.statusCode ?? 0);
      });
      asked.on('error', () => resolve(0));
      asked.end();
    });
  const read = await statusOf('GET', getAccount.path);
  const page = await statusOf('GET', '/users/log-in');
  const written = await statusOf('DELETE', '/api/tracks/00000000-0000-4000-8000-000000000001');
  return `Host: evil.example: reading an account ${read}, log-in page ${page}, deleting a track ${written} (404: it was let through)`;
}
