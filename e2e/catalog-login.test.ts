import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './browser.ts';
import { fillIn, setUp } from './people.ts';
import { startStandIns } from './stand-ins.ts';
import { startStudio } from './studio.ts';
import { untilMatch } from './until.ts';

test('logging in with a catalog account', async (t) => {
  const { settings, links } = await startStandIns(t);
  // A different host name makes the catalog a different site, as in production, so the cookies must cope with it.
  const authorizeUrl = (settings['CATALOG_AUTHORIZE_URL'] ?? '').replace('127.0.0.1', 'localhost');
  const otherOrigin = new URL(authorizeUrl).origin;
  const variables = { ...settings, CATALOG_AUTHORIZE_URL: authorizeUrl, LOG_LEVEL: 'debug' };
  const studio = await startStudio(t, variables);
  {
    const { page } = await visit(t, studio);
    await setUp(page, studio);
  }
  const person = { email: 'grace@example.org', password: 'nine quiet harbours' };

  await t.test(
    'without JavaScript: denies access, allows access, sets a password and unlinks the account',
    async (t) => {
      const { page, shoot } = await visit(t, studio, { javaScript: false, otherOrigin });
      await page.goto('/users/log-in');
      await shoot('catalog-log-in');
      await page.getByRole('link', { name: 'Log in with the catalog' }).click();
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByText('You did not allow access at the catalog').waitFor();
      await shoot('catalog-denied');

      await page.getByRole('link', { name: 'Log in with the catalog' }).click();
      await page.getByRole('button', { name: 'Allow as Kestrel Row' }).click();
      await page.waitForURL((url) => url.pathname === '/' && url.search === '');
      await page.goto('/users/settings');
      await page.getByText('Kestrel Row is linked since').waitFor();
      await shoot('catalog-only-settings');
      await page.getByRole('button', { name: 'Unlink Kestrel Row' }).click();
      await page.getByText('The catalog is your only way in').waitFor();
      await shoot('catalog-only-way');

      await page.goto('/users/settings');
      await fillIn(page, person);
      await page.getByRole('button', { name: 'Set email and password' }).click();
      await page.getByText('Your password is changed').waitFor();
      await page.getByRole('button', { name: 'Unlink Kestrel Row' }).click();
      await page.getByText('Your catalog account is unlinked').waitFor();
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      // The settings page has fields with the same labels.
      await page.waitForURL(/\/users\/log-in/);
      await fillIn(page, person);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL((url) => url.pathname === '/');
    },
  );

  await t.test(
    'with JavaScript: links an account in the settings and opens a private playlist',
    async (t) => {
      const { page, shoot } = await visit(t, studio, { otherOrigin });
      await page.goto('/users/log-in');
      await fillIn(page, person);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL((url) => url.pathname === '/');
      await page.goto('/users/settings');
      await shoot('catalog-unlinked-settings');
      await page.getByRole('link', { name: 'Link a catalog account' }).click();
      await page.getByRole('button', { name: 'Allow as Kestrel Row' }).click();
      await page.getByText('Your catalog account is linked.').waitFor();
      await shoot('catalog-linked-settings');

      const link = links.get('playlist "private"') ?? '';
      const found = await page.evaluate(async (url) => {
        const home = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html');
        const token = home.querySelector('meta[name="csrf-token"]')?.getAttribute('content') ?? '';
        const reply = await fetch('/api/catalog/fetch', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrf-token': token },
          body: JSON.stringify({ url }),
        });
        return (await reply.json()) as { data?: { tracks: unknown[] } };
      }, link);
      assert.equal(found.data?.tracks.length, 120);

      await page.goto('/users/settings');
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      await page.waitForURL(/\/users\/log-in/);
      await page.getByRole('link', { name: 'Log in with the catalog' }).click();
      await page.getByRole('button', { name: 'Allow as Kestrel Row' }).click();
      await page.waitForURL((url) => url.pathname === '/');
      const account = await page.evaluate(
        async () => (await fetch('/api/account')).json() as Promise<unknown>,
      );
      assert.equal((account as { data: { email: string } }).data.email, person.email);
    },
  );

  await t.test('prints no catalog secrets', async () => {
    await untilMatch(
      'what the service printed',
      () => studio.output(),
      /auth\/catalog\/callback\?code=\[secret\]&state=\[secret\]|state=\[secret\]&code=\[secret\]/,
    );
    assert.doesNotMatch(studio.output(), /\b(AQ|BQ|AR)-[\w-]{20}/);
    assert.ok(!studio.output().includes(settings['CATALOG_CLIENT_SECRET'] ?? ''));
  });
});
