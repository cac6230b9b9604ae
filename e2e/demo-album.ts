import type { Page } from 'playwright-core';
import { titlesShown, trackRow } from './library-page.ts';
import { until } from './until.ts';

/** Time limit for synthesising, analysing and separating three songs on any machine, in ms. */
const readyLimitMs = 600_000;

/** Imports the demo album into an empty library and returns its three titles once they are listed. */
export async function importDemoAlbum(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Import demo album' }).click();
  return until(
    'titles of the album',
    () => titlesShown(page),
    (titles) => titles.length === 3,
  );
}

/** Waits until the library shows a tempo and a key for the given tracks. */
export async function untilAnalysed(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    const filled = (column: string, hasText: RegExp) =>
      trackRow(page, title)
        .locator(`[data-column="${column}"]`)
        .filter({ hasText })
        .waitFor({ timeout: readyLimitMs });
    await filled('bpm', /\d/);
    await filled('key', /major|minor/);
  }
}

/** Waits until the library shows stems for the given tracks. */
export async function untilSeparated(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles)
    await trackRow(page, title).getByRole('img', { name: /stems/i }).waitFor({ timeout: readyLimitMs });
}

/** Waits until the library shows stems, a tempo and a key for the given tracks. */
export async function untilReady(page: Page, titles: readonly string[]): Promise<void> {
  await untilAnalysed(page, titles);
  await untilSeparated(page, titles);
}
