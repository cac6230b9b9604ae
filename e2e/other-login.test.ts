// A page that stays open while another user logs in with the same browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from './browser.ts';
import { importDemoAlbum } from './demo-album.ts';
import { chooseInRow, titlesShown, trackRow } from './library-page.ts';
import { administrator, fillIn, type Person, setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { until } from './until.ts';

test('an open page acts for the user who has logged in since', async (t) => {
  const studio = await startStudio(t, {
    AUTO_SEPARATE: 'off',
    AUTO_ANALYZE: 'off',
    REGISTRATION: 'open',
    // The songs only need to be listed, not synthesised.
    DOWNLOAD_CONCURRENCY: '1',
  });
  const { page, context } = await visit(t, studio);
  const other = { email: 'kim@example.org', password: 'seven quiet lanterns' };
  await page.goto('/users/register');
  await fillIn(page, other);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.getByRole('button', { name: 'Import demo album' }).waitFor();
  const renewed = page.waitForResponse((reply) => new URL(reply.url()).pathname === '/api/account');
  const tab = await context.newPage();
  await setUp(tab, studio);
  const account = (await (await renewed).json()) as { data: { email: string } };
  assert.equal(account.data.email, administrator.email);
  await importDemoAlbum(page);

  // A page without a connection for events, which does not notice the next log-in by itself.
  const deaf = await context.newPage();
  await deaf.routeWebSocket(/\/socket\//, () => {});
  await deaf.goto('/');
  const [title = ''] = await until(
    'titles',
    () => titlesShown(deaf),
    ({ length }) => length === 3,
  );
  const rename = async (from: string, to: string) => {
    await chooseInRow(deaf, from, /^Edit/);
    await deaf.getByLabel('Title', { exact: true }).fill(to);
    await deaf.getByRole('button', { name: 'Save' }).click();
  };

  await t.test('a token of an earlier log-in of the same user is renewed unnoticed', async () => {
    await logIn(tab, administrator);
    await rename(title, 'Renamed once');
    await trackRow(deaf, 'Renamed once').waitFor();
  });

  await t.test('a change is not made for another user: the page says who is logged in', async () => {
    await logIn(tab, other);
    await rename('Renamed once', 'Renamed twice');
    await deaf.getByText(`You are logged in as ${other.email} in another tab`).first().waitFor();
    await deaf.getByRole('button', { name: 'Import demo album' }).waitFor();
    await logIn(tab, administrator);
    await trackRow(tab, 'Renamed once').waitFor();
  });

  await t.test('a form of an earlier log-in says what happened and opens again', async () => {
    await deaf.goto('/users/settings');
    await logIn(tab, other);
    await deaf.locator('#email-current-password').fill(administrator.password);
    await deaf.getByRole('button', { name: 'Change email' }).click();
    await deaf.getByText(`You are logged in as ${other.email}`).waitFor();
    await deaf.getByRole('link', { name: 'Open the page again' }).click();
    await deaf.waitForURL(/\/users\/settings$/);
    assert.equal(await deaf.getByLabel('Email', { exact: true }).inputValue(), other.email);
  });
});

/** Logs a user in, in place of the one who is logged in with the same browser. */
async function logIn(page: Page, person: Person): Promise<void> {
  await page.goto('/users/settings');
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.waitForURL(/\/users\/log-in/);
  await fillIn(page, person);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL((url) => url.pathname === '/');
}
