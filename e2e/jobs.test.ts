import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from './browser.ts';
import { engineOf } from './engine-process.ts';
import { chooseInRow, trackRow, uploadSong } from './library-page.ts';
import { setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';
import { until, untilEqual } from './until.ts';

/** Time limit for a job, in ms; only a hanging job reaches it. */
const workLimitMs = 300_000;

const openJobs = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Jobs/ }).click();
const openLibrary = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }).click();
const stemsJob = (page: Page) =>
  page
    .getByRole('region', { name: 'Jobs' })
    .getByRole('listitem')
    .filter({ hasText: /^Stems/ });

test('jobs', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' });
  const { page, shoot } = await visit(t, studio, { mayLoseService: true });
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import demo album' }).waitFor();
  await uploadSong(page, 'Long walk', smallSong(24));
  const row = trackRow(page, 'Long walk');
  await row.getByRole('button', { name: 'Separate Long walk into stems' }).waitFor({ timeout: workLimitMs });

  await t.test('cancels a running separation and shows it as cancelled', async () => {
    await chooseInRow(page, 'Long walk', 'Separate into stems');
    // Stopping the engine keeps a fast machine from finishing the separation before it is cancelled.
    const engine = await engineOf(studio);
    engine.freeze();
    await openJobs(page);
    await stemsJob(page).getByRole('progressbar').waitFor();
    await shoot('jobs-running');
    await stemsJob(page).getByRole('button', { name: 'Cancel' }).click();
    await stemsJob(page).getByText('Cancelled').waitFor();
    await shoot('jobs-cancelled');
    engine.thaw();
    await untilEqual('the engine is alive', () => engine.isAlive(), false);
  });

  await t.test('a retried job survives a killed service and completes', async () => {
    await stemsJob(page).getByRole('button', { name: 'Retry' }).first().click();
    const engine = await engineOf(studio);
    engine.freeze();
    await stemsJob(page).getByRole('progressbar').first().waitFor();
    await studio.kill9();
    engine.thaw();
    await studio.restart();
    await openLibrary(page);
    await row.getByRole('img', { name: /stems/i }).waitFor({ timeout: workLimitMs });
    await shoot('jobs-done-after-kill');
    await openJobs(page);
    const done = stemsJob(page).filter({ hasText: 'Done' });
    await until(
      'stems jobs that are done',
      () => done.count(),
      (count) => count === 1,
    );
  });
});
