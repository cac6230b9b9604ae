import { chromium, type Page } from 'playwright-core';
import { setUp } from '../e2e/people.ts';
import { startStudio } from '../e2e/studio.ts';
import { findBrowser } from '../tools/browser.ts';

/** Time limit in ms for importing, separating and analysing songs on a slow machine. */
const readyLimitMs = 600_000;

/**
 * Starts the service with an empty data folder and opens its page, logged in as administrator. Waits of the page time
 * out after ten minutes. Throws if no Chromium is installed.
 *
 * @param ends ends the browser and then the service
 * @param settings variables of the service, such as `AUTO_SEPARATE`
 * @param flags options of the browser, in addition to those for a machine without a screen
 * @param beforeScripts runs in the page before its own scripts
 */
export async function openStudioPage(
  ends: AsyncDisposableStack,
  {
    settings = {},
    flags = [],
    beforeScripts,
  }: {
    settings?: Readonly<Record<string, string>>;
    flags?: readonly string[];
    beforeScripts?: () => void;
  } = {},
): Promise<Page> {
  const after = (work: unknown) =>
    ends.defer(async () => {
      await (work as () => Promise<void> | void)();
    });
  const studio = await startStudio({ after }, settings);
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no Chromium is installed');
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--autoplay-policy=no-user-gesture-required',
      ...flags,
    ],
  });
  ends.defer(() => browser.close());
  const page = await browser.newPage({ baseURL: studio.url, viewport: { width: 1440, height: 900 } });
  if (beforeScripts) await page.addInitScript(beforeScripts);
  page.setDefaultTimeout(readyLimitMs);
  await setUp(page, studio);
  return page;
}
