import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from './browser.ts';
import { chooseInRow, dropFiles, trackRow } from './library-page.ts';
import { setUp } from './people.ts';
import { smallSong } from './sound.ts';
import { startStudio } from './studio.ts';

/** Long enough that a separation is still running when the next key is pressed. */
const longSongSeconds = 240;

const openJobs = (page: Page) =>
  page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name: /^Jobs/ }).click();
const openLibrary = (page: Page) =>
  page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name: 'Library' }).click();
const stemsJob = (page: Page) =>
  page
    .getByRole('region', { name: 'Jobs' })
    .getByRole('listitem')
    .filter({ hasText: /^Stems/ });

test('jobs', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' });
  const { page, shoot } = await visit(t, studio, { mayLoseService: true });
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import the demo album' }).waitFor();
  await dropFiles(page, [{ name: 'Long walk.wav', type: 'audio/wav', bytes: smallSong(longSongSeconds) }]);
  const row = trackRow(page, 'Long walk');
  await row.getByRole('button', { name: 'Separate Long walk into stems' }).waitFor();

  await t.test('a running separation is cancelled by the user, and says so', async () => {
    await chooseInRow(page, 'Long walk', 'Separate into stems');
    await openJobs(page);
    await stemsJob(page).getByRole('progressbar').waitFor();
    await shoot('jobs-running');
    await stemsJob(page).getByRole('button', { name: 'Cancel' }).click();
    await stemsJob(page).getByText('Cancelled').waitFor();
    await shoot('jobs-cancelled');
  });

  await t.test('a retry takes it up again; a killed service loses nothing', async () => {
    await stemsJob(page).getByRole('button', { name: 'Retry' }).first().click();
    await stemsJob(page).getByRole('progressbar').first().waitFor();
    await studio.kill9();
    await studio.restart();
    await openLibrary(page);
    await row.getByRole('img', { name: /stems/i }).waitFor({ timeout: 180_000 });
    await shoot('jobs-done-after-kill');
    await openJobs(page);
    const done = stemsJob(page).filter({ hasText: 'Done' });
    await done.first().waitFor();
    assert.equal(await done.count(), 1);
  });
});
