import type { Locator, Page } from 'playwright-core';
import { untilEqual } from './until.ts';

/** A file to be dropped on the page. */
export interface DroppedFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** Drops files onto the window, as dragging them from a folder does. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const sent = files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') }));
  await page.evaluate((given) => {
    const dataTransfer = new DataTransfer();
    for (const { name, type, base64 } of given) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], name, { type }));
    }
    for (const event of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, sent);
}

/** Returns the row of a track in the library by its title or a part of it. */
export function trackRow(page: Page, title: string | RegExp): Locator {
  return page
    .getByRole('grid', { name: 'Tracks' })
    .getByRole('row')
    .filter({ has: page.locator('[data-column="title"]').filter({ hasText: title }) });
}

/** Returns the titles of the listed tracks from top to bottom. */
export async function titlesShown(page: Page): Promise<string[]> {
  const rows = page.getByRole('grid', { name: 'Tracks' }).locator('[role="row"][aria-rowindex]');
  const found = await rows.evaluateAll((elements) =>
    elements
      .map((element) => ({
        index: Number(element.getAttribute('aria-rowindex')),
        title: element.querySelector('[role="gridcell"][data-column="title"]')?.getAttribute('title') ?? null,
      }))
      .filter(({ title }) => title !== null)
      .sort((a, b) => a.index - b.index),
  );
  return found.map(({ title }) => title ?? '');
}

/** Waits until the library lists exactly these titles, from top to bottom. */
export async function untilTitles(page: Page, titles: readonly string[]): Promise<void> {
  await untilEqual('titles shown', () => titlesShown(page), [...titles]);
}

/** Chooses an item of a row's menu. */
export async function chooseInRow(page: Page, title: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${title}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
