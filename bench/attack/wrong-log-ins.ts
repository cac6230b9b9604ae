import { dropRateLimits } from '@stem-studio/server/testing/planted-rows';
import type { Arena } from './arena.ts';

const attempts = 60;

/** Tries 60 wrong passwords while the table that counts attempts is missing. */
export async function wrongLogIns(arena: Arena): Promise<string> {
  const target = await arena.start(await arena.open());
  const { address } = target;
  const { email } = await target.register();
  await dropRateLimits(target.context);
  const page = await fetch(`${address}/users/log-in`);
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const csrf = /name="_csrf_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const statuses = new Map<number, number>();
  for (let number = 1; number <= attempts; number++) {
    const reply = await fetch(`${address}/users/log-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams({
        'user[email]': email,
        'user[password]': `wrong password ${number}`,
        _csrf_token: csrf,
      }),
    });
    await reply.arrayBuffer();
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
  }
  const statusCounts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  return `${attempts} wrong passwords: ${statusCounts} (page ${page.status})`;
}
