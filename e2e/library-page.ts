import assert from 'node:assert/strict';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import type { Locator, Page } from 'playwright-core';
import { untilEqual } from './until.ts';

/** A file to be dropped on the page. */
export interface DroppedFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** Returns the CSRF token of a page. */
export async function csrfOf(page: Page): Promise<string> {
  return (await page.locator('meta[name="csrf-token"]').getAttribute('content')) ?? '';
}

/**
 * Uploads a WAV file as another tab of the same user would, without the browser: passing millions of bytes to a page
 * costs more than the upload.
 *
 * @param name name without the extension
 */
export async function uploadSong(page: Page, name: string, bytes: Buffer): Promise<void> {
  const reply = await page.request.post(uploadFile.path, {
    headers: { 'x-csrf-token': await csrfOf(page) },
    multipart: { file: { name: `${name}.wav`, mimeType: 'audio/wav', buffer: bytes } },
  });
  assert.equal(reply.status(), uploadFile.status, await reply.text());
}

/** Drops files onto the window, as dragging them from a folder does. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const sent = files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') }));
  await page.evaluate((given) => {
    const dataTransfer = new DataTransfer();
    for (const { name, type, base64 } of given) {
      const binary = atob(base64);
      const bytes = new Uint8Array(binary.length);
      for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
      dataTransfer.items.add(new File([bytes], name, { type }));
    }
    for (const event of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, sent);
}

/** Returns the search field of the library and the catalog. */
export function searchField(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Search the library and the catalog' });
}

/** Clears the search: the first Escape closes the list of results, the second clears the field. */
export async function clearSearch(page: Page): Promise<void> {
  const field = searchField(page);
  await field.press('Escape');
  if ((await field.inputValue()) !== '') await field.press('Escape');
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
