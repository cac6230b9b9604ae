import type { Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import type { Visit } from './browser.ts';
import { selectOption } from './select-option.ts';

/** Waits until every step of the project is saved. */
export async function untilSaved(page: Page): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor();
}

/** Takes screenshots of the page on smaller screens, named by their width. */
export async function shootSmaller(
  { page, shoot }: Pick<Visit, 'page' | 'shoot'>,
  name: string,
): Promise<void> {
  for (const [width, height] of [
    [1280, 720],
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await shoot(`${name}-${width}`);
  }
}

/** Exports the open project itself and returns the downloaded file. */
export async function downloadProject(
  { page, shoot }: Pick<Visit, 'page' | 'shoot'>,
  kind: 'archive' | 'DAWproject',
): Promise<{ readonly name: string; readonly path: string }> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Export / });
  const isArchive = kind === 'archive';
  const content = isArchive ? 'Project archive, with the audio' : 'DAWproject, for another DAW';
  await selectOption(dialog.getByRole('combobox', { name: 'Content' }), content);
  await dialog.getByText(isArchive ? 'A ZIP with the song' : 'Bitwig Studio').waitFor();
  await assertAccessible(page, `export of the ${kind}`);
  await shoot(`editor-export-${kind}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Export' }).click(),
  ]);
  return { name: download.suggestedFilename(), path: await download.path() };
}
