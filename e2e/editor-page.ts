import type { Page } from 'playwright-core';
import type { Visit } from './browser.ts';

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
