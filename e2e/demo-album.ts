import type { Page } from 'playwright-core';
import { titlesShown, trackRow } from './library-page.ts';
import { until } from './until.ts';

/** Three songs are synthesised, analysed and separated on whatever machine this is. */
const readyLimitMs = 600_000;

/** Imports the demo album into an empty library; answers the titles of its three songs once they are listed. */
export async function importDemoAlbum(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Import demo album' }).click();
  return until(
    'titles of the album',
    () => titlesShown(page),
    (titles) => titles.length === 3,
  );
}

/** Waits until tracks of the library show a tempo and a key. */
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

/** Waits until tracks of the library show stems. */
export async function untilSeparated(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles)
    await trackRow(page, title).getByRole('img', { name: /stems/i }).waitFor({ timeout: readyLimitMs });
}

/** Waits until tracks of the library show stems, a tempo and a key. */
export async function untilReady(page: Page, titles: readonly string[]): Promise<void> {
  await untilAnalysed(page, titles);
  await untilSeparated(page, titles);
}
