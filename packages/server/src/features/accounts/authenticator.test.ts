import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createApp } from '../../app.ts';
import { createLog } from '../../platform/log.ts';
import { closeTopic } from '../../platform/socket/close-sockets.ts';
import {
  askAccount,
  createKeyIn,
  goodPassword,
  logInWith,
  openAccountsApp,
  registeredBrowser,
} from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import { until } from '../../testing/socket-client.ts';
import { createStillClock } from '../../testing/test-clock.ts';
import { openTestContext } from '../../testing/test-context.ts';
import { pages } from '../pages/index.ts';
import { createAuthenticator } from './authenticator.ts';
import { hashOfToken } from './hash-of-token.ts';
import { accounts, deactivateUser } from './index.ts';

const email = 'mira@example.org';
const daySeconds = 86_400;

/** Builds the upgrade request of a socket. */
function socketRequest(url: string, headers: Record<string, string> = {}): IncomingMessage {
  return { url, headers } as IncomingMessage;
}

test('a socket authenticates by cookie or by ?token=', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { key } = await createKeyIn(browser, 'program');
  const authenticator = createAuthenticator(context);
  const cookie = `a=b; stem_studio_session=${browser.cookies.get('stem_studio_session')}; c=d`;
  const byCookie = await authenticator.viewerOfSocket(
    socketRequest('/socket/websocket?vsn=2.0.0', { cookie }),
  );
  assert.equal(byCookie?.email, email);
  assert.equal(byCookie?.via, 'cookie');
  const byToken = await authenticator.viewerOfSocket(
    socketRequest(`/socket/websocket?vsn=2.0.0&token=${key}`),
  );
  assert.equal(byToken?.email, email);
  assert.equal(byToken?.via, 'token');
  for (const url of ['/socket/websocket', '/socket/websocket?token=', '/socket/websocket?token=sst_no']) {
    assert.equal(await authenticator.viewerOfSocket(socketRequest(url)), null, url);
  }
  const wrongTokenWithCookie = socketRequest('/socket/websocket?token=sst_no', { cookie });
  assert.equal(await authenticator.viewerOfSocket(wrongTokenWithCookie), null);
});

test('a viewer carries the expiry of its login or key', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const lasting = await createKeyIn(browser, 'lasting');
  const short = await createKeyIn(browser, 'short', '30');
  const authenticator = createAuthenticator(context);
  const endOf = async (given: IncomingMessage) => (await authenticator.viewerOfSocket(given))?.expires_at;
  const { expires_at } = await context.db.selectFrom('login_sessions').selectAll().executeTakeFirstOrThrow();
  const cookie = `stem_studio_session=${browser.cookies.get('stem_studio_session')}`;
  assert.deepEqual(await endOf(socketRequest('/socket/websocket', { cookie })), expires_at);
  assert.equal(await endOf(socketRequest(`/socket/websocket?token=${lasting.key}`)), null);
  const keyEnd = (await endOf(socketRequest(`/socket/websocket?token=${short.key}`)))?.getTime() ?? 0;
  assert.ok(
    Math.abs(keyEnd - context.clock.now().getTime() - 30 * daySeconds * 1000) < daySeconds * 1000,
    String(keyEnd),
  );
});

test('a deactivated user loses logins, keys and sockets at once', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { key } = await createKeyIn(browser, 'program');
  const { id } = await context.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  assert.equal(await context.db.transaction().execute((tx) => deactivateUser(tx, id, null)), true);
  assert.equal(
    await context.db.transaction().execute((tx) => deactivateUser(tx, id, null)),
    false,
    'not twice',
  );
  const entries = await context.db.selectFrom('audit_log').select(['action', 'target_user_id']).execute();
  assert.deepEqual(entries.at(-1), { action: 'user_deactivated', target_user_id: id });
  assert.equal((await browser.get('/users/settings')).statusCode, 303);
  assert.equal((await browser.request({ method: 'GET', url: '/api/account' })).statusCode, 401);
  assert.equal((await askAccount(app, key)).statusCode, 401);
  const socket = socketRequest(`/socket/websocket?token=${key}`);
  assert.equal(await createAuthenticator(context).viewerOfSocket(socket), null);
});

test('sockets close with the login, key or user that opened them', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { id: user_id } = await context.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const { id, page } = await createKeyIn(browser, 'program');
  const closed: unknown[] = [];
  let onClosed: () => void = () => undefined;
  t.after(
    context.bus.subscribe(closeTopic, ({ payload }) => {
      closed.push(payload);
      onClosed();
    }),
  );
  const untilClosed = async (count: number) => {
    while (closed.length < count) await new Promise<void>((resolve) => (onClosed = resolve));
    return closed.splice(0);
  };
  await browser.submit(formOn(page, `/users/settings/api-keys/${id}`));
  assert.deepEqual(await untilClosed(1), [{ api_key_id: id }]);
  const login_session_id = hashOfToken(browser.cookies.get('stem_studio_session') ?? '');
  await browser.submit(formOn(page, '/users/log-out'));
  assert.deepEqual(await untilClosed(1), [{ login_session_id }]);
  const again = new FormBrowser(app);
  await logInWith(again, email, goodPassword);
  const sessionId = hashOfToken(again.cookies.get('stem_studio_session') ?? '');
  await context.db.transaction().execute((tx) => deactivateUser(tx, user_id, null));
  assert.deepEqual(await untilClosed(2), [{ login_session_id: sessionId }, { user_id }]);
});

test("a login lasts 60 days and is renewed by use, in the database and in the browser's cookie", async (t) => {
  const clock = createStillClock();
  const { app } = await openAccountsApp(t, { clock });
  const browser = await registeredBrowser(app, email);
  await browser.get('/users/settings');
  assert.deepEqual(browser.setCookies, [], 'not on the first day');
  clock.advance(59 * daySeconds);
  const before = browser.cookies.get('stem_studio_session');
  await browser.get('/users/settings');
  assert.match(browser.setCookies.join(), /^stem_studio_session=[\w-]{43};.*Max-Age=5184000/);
  assert.equal(browser.cookies.get('stem_studio_session'), before);
  clock.advance(59 * daySeconds);
  assert.equal((await browser.request({ method: 'GET', url: '/api/account' })).statusCode, 200);
  clock.advance(61 * daySeconds);
  assert.equal((await browser.request({ method: 'GET', url: '/api/account' })).statusCode, 401);
});

test('expired logins are deleted', async (t) => {
  const clock = createStillClock();
  const { app, context, service } = await openAccountsApp(t, { clock });
  await registeredBrowser(app, email);
  clock.advance(61 * daySeconds);
  await service.startFeatures();
  await service.stop();
  assert.deepEqual(await context.db.selectFrom('login_sessions').selectAll().execute(), []);
});

test('last active is written at most once a minute, by cookie and by key', async (t) => {
  const clock = createStillClock();
  const { app, context } = await openAccountsApp(t, { clock });
  const browser = await registeredBrowser(app, email);
  const { key } = await createKeyIn(browser, 'program');
  const lastActive = async () => {
    const { last_active_at } = await context.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    return last_active_at?.getTime() ?? 0;
  };
  const atLogin = await lastActive();
  assert.ok(atLogin > 0);
  clock.advance(50);
  await askAccount(app, key);
  assert.equal(await lastActive(), atLogin);
  clock.advance(11);
  await askAccount(app, key);
  const byKey = await lastActive();
  assert.equal(byKey - atLogin, 61_000);
  clock.advance(61);
  await browser.request({ method: 'GET', url: '/api/account' });
  assert.equal((await lastActive()) - byKey, 61_000);
  const used = await context.db.selectFrom('api_keys').select('last_used_at').executeTakeFirstOrThrow();
  assert.ok(used.last_used_at !== null);
});

test('an Authorization header of a proxy does not hide the login', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const reply = await browser.request({
    method: 'GET',
    url: '/api/account',
    headers: { authorization: 'Basic bWlyYTpwcm94eQ==' },
  });
  assert.equal(reply.statusCode, 200);
});

test('no password and no token appears in the log', async (t) => {
  const context = await openTestContext(t);
  const lines: string[] = [];
  const log = createLog('trace', { write: (line: string) => void lines.push(line) });
  const logged = { ...context, log };
  const service = await createApp(logged, [accounts, pages], createAuthenticator(logged));
  t.after(() => service.stop());
  const app = service.http;
  const browser = await registeredBrowser(app, email);
  const { key } = await createKeyIn(browser, 'program');
  await askAccount(app, key);
  await app.inject({ method: 'GET', url: `/api/nothing?token=${key}` });
  await browser.get('/users/register?setup=SETUPTOKENSETUPTOKEN');
  // The log line is written shortly after the reply arrives.
  await until(() => lines.some((line) => line.includes('"answered"') && line.includes('setup=')));
  const text = lines.join('');
  assert.match(text, /\/users\/register/, 'requests are logged at this level');
  const cookie = browser.cookies.get('stem_studio_session') ?? '';
  for (const secret of [key, cookie, 'SETUPTOKENSETUPTOKEN', 'gravel']) {
    assert.ok(secret.length > 5 && !text.includes(secret), secret);
  }
});
