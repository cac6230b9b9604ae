import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { phone, visit } from './browser.ts';
import { startNetworkHost } from './network-host.ts';
import { setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { until } from './until.ts';

/** Time limit for an installation, which separates two short clips, in ms. */
const installLimitMs = 300_000;

const rowOf = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Separation networks' }).getByRole('listitem', { name: title });

test('networks', async (t) => {
  const host = await startNetworkHost(t);
  const studio = await startStudio(t, host.settings);
  const { page, shoot } = await visit(t, studio);
  await setUp(page, studio);

  await t.test('the account menu and the settings lead an admin to the networks', async () => {
    await page.goto(`${studio.url}/users/settings`);
    await page.getByRole('link', { name: 'Show the networks' }).click();
    await rowOf(page, 'Open network').waitFor();
    await page.goto(studio.url);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Separation networks' }).click();
    await rowOf(page, 'Scientific network').waitFor();
    await shoot('networks');
  });

  await t.test('shows the terms and downloads only after they are accepted', async () => {
    await rowOf(page, 'Scientific network').getByRole('button', { name: 'Download' }).click();
    const dialog = page.getByRole('dialog', { name: 'Scientific network' });
    await dialog.getByText('for scientific purposes only').first().waitFor();
    const download = dialog.getByRole('button', { name: /^Download/ });
    assert.equal(await download.isDisabled(), true);
    await shoot('networks-licence');
    await dialog.getByRole('checkbox', { name: 'I accept these terms' }).check();
    assert.equal(await download.isDisabled(), false);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(host.ranges.length, 0);
  });

  await t.test('shows the progress of a download, which can be cancelled and resumed', async () => {
    host.limit = 30_000;
    const row = rowOf(page, 'Open network');
    await row.getByRole('button', { name: 'Download' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Download/ })
      .click();
    await row.getByRole('progressbar', { name: 'Download of Open network' }).waitFor();
    await row.getByText(/Open network: 29\.3 kB of/).waitFor();
    await shoot('networks-downloading');
    await row.getByRole('button', { name: 'Cancel' }).click();
    await row.getByText('29.3 kB downloaded').waitFor();
    await shoot('networks-cancelled');
    host.limit = null;
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByText('Installed for alt_4').waitFor({ timeout: installLimitMs });
    await until(
      'the last request',
      () => host.ranges.at(-1),
      (range) => range === 'bytes=30000-',
    );
    await shoot('networks-installed');
  });

  await t.test('fits a phone', async () => {
    await page.setViewportSize(phone);
    await rowOf(page, 'Open network').waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= phone.width, `the page is ${width} pixels wide`);
    await shoot('networks-phone');
  });

  await t.test('removes an installed network after a question', async () => {
    const row = rowOf(page, 'Open network');
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.getByRole('button', { name: 'Download' }).waitFor();
    assert.equal(await row.getByText('Installed for').count(), 0);
  });
});
