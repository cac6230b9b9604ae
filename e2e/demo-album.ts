import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { titlesShown, trackRow } from './library-page.ts';

/** Three songs are synthesised, analysed and separated on whatever machine this is. */
const readyLimitMs = 300_000;

/** Imports the demo album into an empty library; answers the titles of its three songs once they are listed. */
export async function importDemoAlbum(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Import the demo album' }).click();
  const rows = page.getByRole('grid', { name: 'Tracks' }).locator('[role="row"]:has([role="gridcell"])');
  await rows.nth(2).waitFor();
  assert.equal(await rows.count(), 3);
  return titlesShown(page);
}

/** Waits until tracks of the library show stems, a tempo and a key. */
export async function untilReady(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    const row = trackRow(page, title);
    const filled = (column: string, hasText: RegExp) =>
      row.locator(`[data-column="${column}"]`).filter({ hasText }).waitFor({ timeout: readyLimitMs });
    await row.getByRole('img', { name: /stems/i }).waitFor({ timeout: readyLimitMs });
    await filled('bpm', /\d/);
    await filled('key', /major|minor/);
  }
}
