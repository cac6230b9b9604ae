import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phone, visit } from './browser.ts';
import { trackRow } from './library-page.ts';
import { setUp } from './people.ts';
import { startStandIns } from './stand-ins.ts';
import { startStudio } from './studio.ts';

/** The song that the stand-ins offer: 27 s, found once as long, once 3 s longer, and once as a loop of ten hours. */
const title = 'Hollow Harbour 7';

test('the source of a song', async (t) => {
  const { settings, links } = await startStandIns(t);
  const studio = await startStudio(t, { ...settings, AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' });
  const { page, shoot } = await visit(t, studio);
  await setUp(page, studio);
  await page.getByLabel('Catalog link').fill(links.get('a song') ?? '');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const row = trackRow(page, title);
  await row.getByRole('button', { name: /^Separate/ }).waitFor();
  const player = page.getByRole('region', { name: `Player: ${title}` });
  const dialog = page.getByRole('dialog', { name: 'Where the sound comes from' });

  await t.test(
    'all that was found is listed by keyboard, with lengths, and which one is in use',
    async () => {
      await row.focus();
      await page.keyboard.press('Enter');
      await player.getByRole('button', { name: 'Change the source' }).press('Enter');
      await dialog.getByRole('radio').first().waitFor();
      assert.equal(await dialog.getByRole('radio').count(), 3);
      assert.equal(await dialog.getByText('In use', { exact: true }).count(), 1);
      await dialog.getByText('3 s longer than the song').waitFor();
      await dialog.getByText('likely another version').waitFor();
      assert.equal(await dialog.getByRole('button', { name: 'Use this source' }).isDisabled(), true);
      await shoot('sources');
    },
  );

  await t.test('another one replaces the sound once it is whole, and is in use then', async () => {
    await dialog.locator('input[type=radio]:checked').focus();
    await page.keyboard.press('ArrowDown');
    const wished = await dialog.locator('input[type=radio]:checked').getAttribute('id');
    const label = await dialog.locator(`label[for="${wished}"]`).innerText();
    assert.match(label, /live/);
    await dialog.getByRole('button', { name: 'Use this source' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    // The song of 27 s stays until the one of 30 s is there.
    await page.waitForFunction(
      () =>
        document.querySelector('[aria-label="Place in the song"]')?.getAttribute('aria-valuemax') === '30',
    );
    await player.getByRole('button', { name: 'Change the source' }).click();
    await dialog.getByText('In use', { exact: true }).waitFor();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[role=dialog] input[type=radio]')].some(
        (radio) =>
          (radio as HTMLInputElement).checked && /live/.test(radio.nextElementSibling?.textContent ?? ''),
      ),
    );
    await shoot('sources-changed');
    await page.setViewportSize(phone);
    await shoot('sources-phone');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('a closed track gives the focus back to the row that it was opened from', async () => {
    await page.getByRole('button', { name: 'Close the player' }).press('Enter');
    await player.waitFor({ state: 'detached' });
    assert.equal(await row.evaluate((element) => element === document.activeElement), true);
  });
});
