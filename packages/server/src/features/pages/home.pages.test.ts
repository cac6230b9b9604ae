import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { registeredBrowser } from '../../testing/account-steps.ts';
import { FormBrowser } from '../../testing/form-browser.ts';
import { openTestApp } from '../../testing/test-app.ts';
import { accounts } from '../accounts/index.ts';
import { mountHome } from './home.pages.ts';
import { pages } from './index.ts';

/** Opens the accounts and a dashboard built from `page`; null for a missing build. */
async function openWithPage(t: TestContext, page: string | null) {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-page-'));
  t.after(() => rm(folder, { recursive: true }));
  if (page !== null) await writeFile(join(folder, 'index.html'), page);
  return await openTestApp(t, {
    features: [accounts, { name: 'home', routes: (app, context) => mountHome(app, context, folder) }],
  });
}

const builtPage =
  '<html><head><meta name="csrf-token" content="" /><meta name="demo-album-url" content="" /><meta name="catalogs" content="" /><meta name="login-session" content="" /><meta name="login-email" content="" /></head></html>';

test('the dashboard requires a login; others log in and return to it', async (t) => {
  const { app } = await openWithPage(t, builtPage);
  const reply = await new FormBrowser(app).get('/');
  assert.equal(reply.statusCode, 303);
  assert.equal(reply.headers.location, '/users/log-in');
  const tab = await new FormBrowser(app).get('/?tab=dj');
  assert.equal(tab.headers.location, '/users/log-in?return_to=%2F%3Ftab%3Ddj');
});

test('the dashboard contains a valid CSRF token and the link of the demo album', async (t) => {
  const { app } = await openWithPage(t, builtPage);
  const browser = await registeredBrowser(app, 'mira@example.org');
  const page = await browser.get('/');
  assert.equal(page.statusCode, 200);
  assert.equal(page.headers['cache-control'], 'no-store');
  assert.match(page.payload, /<meta name="demo-album-url" content="[^"]+">/);
  assert.match(page.payload, /<meta name="login-session" content="[^"]+">/);
  assert.match(page.payload, /<meta name="login-email" content="mira@example\.org">/);
  const token = /<meta name="csrf-token" content="([^"]+)">/.exec(page.payload)?.[1] ?? '';
  const reply = await browser.request({
    method: 'DELETE',
    url: '/users/log-out',
    headers: { 'x-csrf-token': token },
  });
  assert.equal(reply.statusCode, 303);
});

test('without a built page, the reply names the build command', async (t) => {
  const { app } = await openWithPage(t, null);
  const browser = await registeredBrowser(app, 'mira@example.org');
  const page = await browser.get('/');
  assert.equal(page.statusCode, 503);
  assert.match(page.payload, /npm run build/);
});

test('the stylesheet of the plain pages is served under its linked address', async (t) => {
  const { app } = await openTestApp(t, { features: [accounts, pages] });
  const logIn = await app.inject({ method: 'GET', url: '/users/log-in' });
  const href = /<link rel="stylesheet" href="([^"]+)">/.exec(logIn.payload)?.[1] ?? '';
  const css = await app.inject({ method: 'GET', url: href });
  assert.equal(css.statusCode, 200);
  assert.match(String(css.headers['content-type']), /^text\/css/);
  assert.match(String(css.headers['cache-control']), /immutable/);
});
