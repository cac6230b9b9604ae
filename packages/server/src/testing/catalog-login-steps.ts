import assert from 'node:assert/strict';
import { openAccountsApp, registeredBrowser } from './account-steps.ts';
import { FormBrowser } from './form-browser.ts';
import type { PersonName } from './stand-ins/catalog-authorization.ts';
import { startStandInCatalog } from './stand-ins/catalog-server.ts';
import type { TestLifetime, TestOverrides } from './test-context.ts';

/** Host and port of the service in these tests; the catalog redirects browsers there. */
const host = '127.0.0.1:4000';

/** Starts account pages and a stand-in catalog where users can log in. */
export async function openCatalogStudio(t: TestLifetime, overrides: TestOverrides = {}) {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const logLines: string[] = [];
  const config = { webCatalog: standIn, port: 4000, ...overrides.config };
  const { app, context } = await openAccountsApp(t, { logLines, ...overrides, config });
  return {
    app,
    context,
    standIn,
    logLines,
    newBrowser: () => new FormBrowser(app, host),
    registered: (email: string) => registeredBrowser(app, email, new FormBrowser(app, host)),
  };
}

/** Starts the login at the catalog and returns the catalog's address that the browser is redirected to. */
export async function goToCatalog(browser: FormBrowser, path = '/auth/catalog'): Promise<string> {
  const reply = await browser.get(path);
  assert.equal(reply.statusCode, 303, reply.payload);
  return String(reply.headers.location);
}

/**
 * Submits a person's answer on the catalog's authorization page. Returns the path of the redirect back to the service.
 */
export async function sayAtCatalog(authorizeUrl: string, answer: PersonName | 'deny'): Promise<string> {
  const page = await fetch(authorizeUrl);
  assert.equal(page.status, 200, await page.text());
  const reply = await fetch(authorizeUrl, {
    method: 'POST',
    body: new URLSearchParams({ answer }),
    redirect: 'manual',
  });
  const back = new URL(reply.headers.get('location') ?? '');
  assert.equal(back.host, host);
  return back.pathname + back.search;
}

/** Logs a browser in with the catalog and returns the reply to the callback. */
export async function logInByCatalog(browser: FormBrowser, person: PersonName) {
  return browser.get(await sayAtCatalog(await goToCatalog(browser), person));
}

/** Returns the address of the settings page's link button. Fails if there is none. */
export async function linkPathOf(browser: FormBrowser): Promise<string> {
  const { payload } = await browser.get('/users/settings');
  const path = /href="(\/auth\/catalog\?link=[^"]+)"/.exec(payload)?.[1];
  assert.ok(path, 'the settings page has no button for linking');
  return path;
}

/** Links a browser's account with a person's catalog account and returns the reply to the callback. */
export async function linkCatalog(browser: FormBrowser, person: PersonName) {
  return browser.get(await sayAtCatalog(await goToCatalog(browser, await linkPathOf(browser)), person));
}

/** Returns the account that a browser is logged in with, or null. */
export async function accountOf(browser: FormBrowser): Promise<{ id: number; email: string } | null> {
  const reply = await browser.get('/api/account');
  return reply.statusCode === 200 ? reply.json<{ data: { id: number; email: string } }>().data : null;
}
