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

/** Waits until the library shows stems, a tempo and a key for the given tracks. */
export async function untilReady(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    const row = trackRow(page, title);
    const filled = (column: string, hasText: RegExp) =>
      row.locator(`[data-column="${column}"]`).filter({ hasText }).waitFor({ timeout: readyLimitMs });
    await filled('bpm', /\d/);
    await filled('key', /major|minor/);
    await row.getByRole('img', { name: /stems/i }).waitFor({ timeout: readyLimitMs });
  }
}
