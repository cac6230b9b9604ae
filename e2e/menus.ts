import type { Page } from 'playwright-core';
import { trackRow } from './library-page.ts';

/** Text by which a menu explains disabled items. */
const offline = 'What needs it works again when it is back.';

/**
 * Opens every menu, list and dialog of the DJ tab and closes it again.
 *
 * @param isOffline whether the service is not reachable, so that menus must say so
 * @param seen called while each part is open, with its name
 */
export async function openEveryMenu(
  page: Page,
  title: string,
  isOffline: boolean,
  seen: (part: string) => Promise<void>,
): Promise<void> {
  const close = () => page.keyboard.press('Escape');
  const openPart = async (
    button: string | RegExp,
    role: 'menu' | 'dialog',
    name: string,
    explains: boolean,
  ) => {
    await page.getByRole('button', { name: button, exact: true }).first().click();
    const opened = page.getByRole(role, { name });
    await opened.waitFor();
    if (explains) await opened.getByText(offline).waitFor();
    await seen(name);
    await close();
    await opened.waitFor({ state: 'hidden' });
  };
  await openPart(`Actions for ${title}`, 'menu', `Actions for ${title}`, isOffline);
  await openPart('Account', 'menu', 'Account', isOffline);
  await openPart('Columns', 'dialog', 'Columns', false);
  await openPart(/^Recordings: /, 'dialog', 'Recordings', false);
  await trackRow(page, title).focus();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog');
  await keys.waitFor();
  await seen('list of keys');
  await close();
  await keys.waitFor({ state: 'hidden' });
  for (const tab of ['Jobs', 'Library', 'DJ']) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: tab }).first().click();
    await seen(tab);
  }
}
