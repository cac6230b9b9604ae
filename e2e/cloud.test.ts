import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phone, visit } from './browser.ts';
import { trackRow, uploadSong } from './library-page.ts';
import { setUp } from './people.ts';
import { untilMeters } from './player-page.ts';
import { startStandIns } from './stand-ins.ts';
import { startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';
import { until, untilEqual } from './until.ts';

/** Time limit for a job, in ms; only a hanging job reaches it. */
const workLimitMs = 300_000;
/** Time per stem in ms that shows progress soon but does not end before the page has shown it. */
const slowMs = 60_000;
/** Time per stem in ms that is never reached, so that a job is still running when it is cancelled. */
const endlessMs = 100_000_000;
const tenStems = [
  'Vocals',
  'Backing vocals',
  'Drums',
  'Bass',
  'Electric guitar',
  'Acoustic guitar',
  'Piano',
  'Synth',
  'Strings',
  'Wind',
];

test('separation by the cloud service', async (t) => {
  const { settings, keys, setStemMs } = await startStandIns(t);
  const richKey = keys.get('rich') ?? '';
  const studio = await startStudio(t, {
    ...settings,
    CLOUDSEP_CHECKS_PER_MINUTE: '60',
    AUTO_SEPARATE: 'off',
    AUTO_ANALYZE: 'off',
    LOG_LEVEL: 'debug',
  });
  const { page, shoot } = await visit(t, studio);
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import demo album' }).waitFor();
  await uploadSong(page, 'Small song', smallSong(60));
  const row = trackRow(page, 'Small song');
  await row.getByRole('button', { name: /^Separate/ }).waitFor({ timeout: workLimitMs });
  await row.getByText(/^Small song/).click();
  const player = page.getByRole('region', { name: 'Player: Small song' });
  const dialog = page.getByRole('dialog', { name: 'Separate into stems' });
  const cloud = dialog.getByRole('radio', { name: 'Cloud' });
  const open = () => player.getByRole('button', { name: /^(Separate|New separation)/ }).click();

  await t.test('without a key the dialog links to the settings that set one', async () => {
    await open();
    await dialog.getByText('It requires a licence key').waitFor();
    await untilEqual('the cloud cannot be chosen', () => cloud.isDisabled(), true);
    await shoot('cloud-no-key');
    await dialog.getByRole('link', { name: 'Settings → Connections' }).click();
    await page.waitForURL((url) => url.pathname === '/users/settings');
  });

  await t.test('without JavaScript a key can be set; an unknown key is rejected', async (t) => {
    const plain = await visit(t, studio, { javaScript: false });
    await plain.context.addCookies(await page.context().cookies());
    await plain.page.goto('/users/settings#cloud');
    const field = plain.page.getByLabel('Licence key');
    await field.fill('no-key-of-theirs');
    await plain.page.getByRole('button', { name: 'Save the key' }).click();
    await plain.page.getByText(/Licence key is refused: the cloud service does not accept the key/).waitFor();
    await plain.shoot('cloud-key-refused');
    await field.fill(richKey);
    await plain.page.getByRole('button', { name: 'Save the key' }).click();
    await plain.page.getByText('Your key of the cloud service is saved.').waitFor();
    await plain.page.getByText('Your key ending in rich was added on').waitFor();
    await plain.shoot('cloud-key-saved');
    assert.ok(!(await plain.page.content()).includes(richKey), 'the page keeps the key to itself');
  });

  await t.test('the dialog shows the price before any minutes are spent', async () => {
    await page.goto('/');
    await row.getByText(/^Small song/).click();
    await open();
    await cloud.check();
    await dialog.getByText('Costs 10 minutes', { exact: true }).waitFor();
    await dialog.getByText('600 of 600 minutes left on your key').waitFor();
    await shoot('cloud-price');
    for (const name of ['Strings', 'Wind', 'Synth']) await dialog.getByLabel(name).uncheck();
    await dialog.getByText('Costs 7 minutes', { exact: true }).waitFor();
    await page.setViewportSize(phone);
    await shoot('cloud-price-phone');
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['Strings', 'Wind', 'Synth']) await dialog.getByLabel(name).check();
    setStemMs(slowMs);
    await dialog.getByRole('button', { name: 'Separate for 10 minutes' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('plays ten stems, each in its row, and shows the residual level', async () => {
    await player.getByText('splitting at the cloud service').waitFor({ timeout: workLimitMs });
    await shoot('cloud-splitting');
    setStemMs(1);
    await page.getByRole('group', { name: 'Wind' }).waitFor({ timeout: workLimitMs });
    const rows = page.locator('[role="group"][data-row]');
    await untilEqual(
      'rows of the player',
      () => rows.evaluateAll((found) => found.map((one) => one.getAttribute('aria-label'))),
      tenStems,
    );
    await player.getByText('Residual: −30.5 dB.').waitFor();
    await player.getByRole('button', { name: /^Play/ }).click();
    await untilMeters(page, 'what ten stems add', (levels) =>
      tenStems.every((name) => (levels[name] ?? 0) > 0),
    );
    await shoot('cloud-ten-stems');
    await page.getByRole('button', { name: 'Expand player' }).click();
    await shoot('cloud-ten-stems-whole-page');
    await page.getByRole('button', { name: 'Collapse player' }).click();
  });

  await t.test('downloads all stems as one ZIP', async () => {
    await player.getByRole('button', { name: 'Download stems or analysis' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download all stems (ZIP, WAV)' }).click();
    assert.match((await download).suggestedFilename(), /Small song.*\.zip$/);
    await (await download).delete();
  });

  await t.test('a paid separation is free, and cancelling a running one refunds its minutes', async () => {
    await open();
    await cloud.check();
    await dialog.getByText('Free: already paid').waitFor();
    await dialog.getByText('590 of 600 minutes left on your key').waitFor();
    await shoot('cloud-paid');
    await dialog.getByLabel('Preview: only the first 60 seconds').check();
    await dialog.getByText('Costs 10 minutes', { exact: true }).waitFor();
    setStemMs(slowMs);
    await dialog.getByRole('button', { name: 'Separate for 10 minutes' }).click();
    await player.getByText('splitting at the cloud service').waitFor({ timeout: workLimitMs });
    setStemMs(endlessMs);
    await player.getByRole('button', { name: /^Cancel stems of/ }).click();
    await player.getByRole('button', { name: 'New separation' }).waitFor();
    await until(
      'minutes that are left, none of them spent on what had not ended',
      () =>
        page.evaluate(async () => {
          const reply = await fetch('/api/cloudsep/quota');
          return ((await reply.json()) as { data: { remaining_minutes: number } }).data.remaining_minutes;
        }),
      (minutes) => minutes === 590,
    );
  });

  await t.test('neither prints the key nor stores it in plain text', () => {
    assert.ok(!studio.output().includes(richKey), 'the key is not printed');
  });
});
