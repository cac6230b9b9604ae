import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { errorBody } from '@stem-studio/contract/errors';
import { accounts } from '../../features/accounts/index.ts';
import { pages } from '../../features/pages/index.ts';
import { registeredBrowser } from '../../testing/account-steps.ts';
import { rawClient, socketUrl } from '../../testing/socket-client.ts';
import { openTestApp } from '../../testing/test-app.ts';
import type { TestLifetime, TestOverrides } from '../../testing/test-context.ts';
import { createHostCheck } from './allowed-hosts.ts';

const settings = { publicUrl: null, host: '127.0.0.1', allowedHosts: [] };

test('allows loopback names, the public host and the listed hosts on any port, and nothing else', () => {
  const isAllowed = createHostCheck({
    publicUrl: 'https://studio.example.org/music',
    host: 'Studio.Lan',
    allowedHosts: ['nas.local', '.home.arpa', '192.168.1.20', 'fd00::7'],
  });
  for (const host of [
    'localhost:80',
    'LOCALHOST',
    'localhost.',
    'a.localhost:4000',
    '127.0.0.1:4000',
    '127.9.9.9',
    '[::1]:4000',
    '[0:0:0:0:0:0:0:1]',
    'studio.example.org',
    'Studio.Example.org:8443',
    'studio.lan:4000',
    'nas.local',
    'home.arpa',
    'a.b.home.arpa',
    '192.168.1.20:8080',
    '[fd00:0::7]:80',
  ])
    assert.equal(isAllowed(host, '10.0.0.1'), true, host);
  for (const host of [
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    'xlocalhost',
    '127.0.0.1.evil.example',
    '127.1',
    '2130706433',
    'evilhome.arpa',
    'x.nas.local',
    'studio.example.org.evil.example',
    'user@localhost',
    'localhost/evil.example',
    'localhost:80:80',
    'localhost,evil.example',
    '192.168.1.21',
    '[::2]',
  ])
    assert.equal(isAllowed(host, '10.0.0.1'), false, host);
});

test('allows a numeric host if it is the local address of the connection', () => {
  const isAllowed = createHostCheck(settings);
  assert.equal(isAllowed('192.168.1.9:4000', '::ffff:192.168.1.9'), true);
  assert.equal(isAllowed('[fe80::1]:4000', 'fe80::1%eth0'), true);
  assert.equal(isAllowed('192.168.1.10:4000', '192.168.1.9'), false);
  assert.equal(isAllowed('192.168.1.9', undefined), false);
});

/** Opens a service that listens on loopback, with a logged-in user. */
async function open(t: TestLifetime, overrides: TestOverrides = {}) {
  const { app, service } = await openTestApp(t, { ...overrides, features: [accounts, pages] });
  const address = await service.listen(0, '127.0.0.1');
  const browser = await registeredBrowser(app, 'ada@example.org');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const settingsPage = (await browser.get('/users/settings')).payload;
  const csrf = /name="_csrf_token" value="([^"]+)"/.exec(settingsPage)?.[1] ?? '';
  /** Sends a request over the network, with headers that `fetch` does not allow to set. */
  const ask = (path: string, headers: Record<string, string>, method = 'GET', body = '') =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
      (resolve, reject) => {
        const { hostname, port } = new URL(address);
        const asked = request({ hostname, port, path, method, headers: { connection: 'close', ...headers } });
        asked.on('error', reject);
        asked.on('response', (reply) => {
          void text(reply).then(
            (read) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: read }),
            reject,
          );
        });
        asked.end(body);
      },
    );
  return { app, address, cookie, csrf, ask };
}

test("rejects requests of another site's page with DNS rebinding: REST, pages, forms and both sockets", async (t) => {
  const { address, cookie, csrf, ask } = await open(t);
  const { port } = new URL(address);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const fields = new URLSearchParams({ _csrf_token: csrf, _method: 'delete' }).toString();
  for (const host of ['evil.example', `evil.example:${port}`]) {
    const rebound = { host, origin: `http://${host}`, cookie };
    const api = await ask('/api/account', rebound);
    assert.equal(api.status, 400, host);
    const problem = errorBody.parse(JSON.parse(api.body));
    assert.equal(problem.code, 'BAD_REQUEST');
    assert.match(problem.error, /"evil\.example(:\d+)?".*PUBLIC_URL.*ALLOWED_HOSTS/);
    assert.match(String(api.headers['x-ratelimit-limit']), /^\d+$/);
    const page = await ask('/users/log-in', { ...rebound, accept: 'text/html' });
    assert.equal(page.status, 400);
    assert.match(page.body, /<html[\s\S]*ALLOWED_HOSTS/);
    assert.equal(page.headers['set-cookie'], undefined);
    assert.equal((await ask('/nowhere', rebound)).status, 400);
    const logOut = await ask('/users/log-out/everywhere', { ...rebound, ...form }, 'POST', fields);
    assert.equal(logOut.status, 400, 'a form');
    for (const path of ['/socket', '/live'] as const) {
      const query = new URLSearchParams({ vsn: '2.0.0', _csrf_token: csrf }).toString();
      const client = await rawClient(t, socketUrl(address, path), query, rebound);
      assert.equal(client.status, 400, path);
    }
  }
  const here = new URL(address).host;
  assert.equal((await ask('/api/account', { host: here, cookie })).status, 200, 'nobody was logged out');
});

test('rejects an unknown host despite an allowed forwarded host, also with a proxy on this machine', async (t) => {
  const { ask } = await open(t, {
    config: { trustedProxies: ['loopback'], publicUrl: 'https://studio.example' },
  });
  const status = async (headers: Record<string, string>) => (await ask('/health', headers)).status;
  assert.equal(await status({ host: 'evil.example', 'x-forwarded-host': 'studio.example' }), 400);
  assert.equal(await status({ host: 'localhost', 'x-forwarded-host': 'evil.example' }), 400);
  assert.equal(await status({ host: 'localhost', 'x-forwarded-host': 'studio.example' }), 200);
  assert.equal(await status({ host: 'studio.example' }), 200);
});

test('ignores a forwarded host if no proxy is trusted', async (t) => {
  const { ask } = await open(t);
  assert.equal((await ask('/health', { host: 'localhost', 'x-forwarded-host': 'evil.example' })).status, 200);
  assert.equal((await ask('/health', { host: 'evil.example', 'x-forwarded-host': 'localhost' })).status, 400);
});
