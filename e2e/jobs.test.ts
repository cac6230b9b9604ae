import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { phone, visit } from './browser.ts';
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

/** Returns the number of active jobs in the navigation, on the filter, and of the listed rows. */
async function activeJobs(page: Page): Promise<{ counted: number; filter: number; listed: number }> {
  const count = async (locator: Locator) => Number(/\d+/.exec(await locator.innerText())?.[0] ?? 0);
  const jobs = page.getByRole('region', { name: 'Jobs' });
  return {
    counted: await count(page.getByRole('link', { name: /^Jobs/ })),
    filter: await count(jobs.getByRole('button', { name: /^Active/ })),
    listed: await jobs.getByRole('listitem').count(),
  };
}

test('jobs', async (t) => {
  const studio = await startStudio(t, {
    AUTO_SEPARATE: 'off',
    AUTO_ANALYZE: 'off',
    PROCESSING_CONCURRENCY: '1',
  });
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
    await uploadSong(page, 'Second walk', smallSong(20));
    await openLibrary(page);
    await trackRow(page, 'Second walk')
      .getByRole('button', { name: 'Separate Second walk into stems' })
      .waitFor({ timeout: workLimitMs });
    await chooseInRow(page, 'Second walk', 'Separate into stems');
    await openJobs(page);
    await page.getByRole('button', { name: /^Active/ }).click();
    await untilEqual('active jobs, counted and listed', () => activeJobs(page), {
      counted: 2,
      filter: 2,
      listed: 2,
    });
    await stemsJob(page).filter({ hasText: 'Queued: waiting for a separation to finish' }).waitFor();
    await assertAccessible(page, 'active jobs');
    await shoot('jobs-active');
    await stemsJob(page).filter({ hasText: 'Second walk' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'All' }).click();
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
    await done.getByText(/^ ?\d\d:\d\d · took /).waitFor();
    await page.getByRole('button', { name: 'Failed' }).click();
    await untilEqual('stems jobs that failed or were cancelled', () => stemsJob(page).count(), 2);
    await page.setViewportSize(phone);
    await shoot('jobs-cancelled-phone');
    await page.getByRole('button', { name: 'Active' }).click();
    await page.getByRole('heading', { name: 'No active jobs' }).waitFor();
  });
});
