import type { Locator } from 'playwright-core';

/** Opens a select of the page and returns its list of options, which closes with Escape or a choice. */
export async function openSelect(select: Locator): Promise<Locator> {
  const { name, page } = { name: await select.getAttribute('aria-label'), page: select.page() };
  await select.click();
  const list = page.getByRole('listbox', name === null ? {} : { name, exact: true });
  await list.waitFor();
  return list;
}

/** Returns the labels of the options of a select. */
export async function optionsOf(select: Locator): Promise<string[]> {
  const list = await openSelect(select);
  const labels = await list.getByRole('option').allTextContents();
  await select.page().keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  return labels;
}

/** Selects the option with a label and waits until the list is closed. */
export async function selectOption(select: Locator, label: string): Promise<void> {
  const list = await openSelect(select);
  await list.getByRole('option', { name: label, exact: true }).click();
  await list.waitFor({ state: 'detached' });
}
