// A page that stays open while another user logs in with the same browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './browser.ts';
import { importDemoAlbum } from './demo-album.ts';
import { administrator, fillIn, setUp } from './people.ts';
import { startStudio } from './studio.ts';

test('an open page acts for the user who has logged in since', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off', REGISTRATION: 'open' });
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
});
