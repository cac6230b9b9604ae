import { test } from 'node:test';
import { desktop, phone, visit } from './browser.ts';
import { searchField, trackRow } from './library-page.ts';
import { setUp } from './people.ts';
import { startStandIns } from './stand-ins.ts';
import { startStudio } from './studio.ts';
import { untilEqual, untilMatch } from './until.ts';

/** The song of the stand-in servers: 27 s. Three sources are found: 27 s, 30 s and a loop of ten hours. */
const title = 'Hollow Harbour 7';

test('audio source of a song', async (t) => {
  const { settings, links } = await startStandIns(t);
  const studio = await startStudio(t, { ...settings, AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' });
  const { page, shoot } = await visit(t, studio);
  await setUp(page, studio);
  await searchField(page).fill(links.get('a song') ?? '');
  await page.getByRole('button', { name: 'Import link' }).click();
  const row = trackRow(page, title);
  await row.getByRole('button', { name: /^Separate/ }).waitFor();
  const player = page.getByRole('region', { name: `Player: ${title}` });
  const dialog = page.getByRole('dialog', { name: 'Audio source' });

  await t.test('lists all sources by keyboard, with their lengths and the one in use', async () => {
    await row.press('Enter');
    await player.getByRole('button', { name: 'Change source' }).press('Enter');
    await untilEqual('sources listed', () => dialog.getByRole('radio').count(), 3);
    await untilEqual('sources in use', () => dialog.getByText('In use', { exact: true }).count(), 1);
    await dialog.getByText('3 s longer than the song').waitFor();
    await dialog.getByText('likely another version').waitFor();
    await dialog.getByRole('button', { name: 'Use this source', disabled: true }).waitFor();
    await shoot('sources');
  });

  await t.test('a chosen source replaces the audio once it is complete and is then in use', async () => {
    const chosen = () => dialog.locator('input[type=radio]:checked + label').innerText();
    await dialog.locator('input[type=radio]:checked').press('ArrowDown');
    await untilMatch('the chosen source', chosen, /live/);
    await dialog.getByRole('button', { name: 'Use this source', disabled: false }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    // The song of 27 s stays until the one of 30 s has been received.
    const song = page.getByRole('slider', { name: 'Song position' });
    await untilEqual('seconds of the song', () => song.getAttribute('aria-valuemax'), '30');
    await player.getByRole('button', { name: 'Change source' }).click();
    await dialog.getByText('In use', { exact: true }).waitFor();
    await untilMatch('the chosen source', chosen, /live/);
    await shoot('sources-changed');
    await page.setViewportSize(phone);
    await shoot('sources-phone');
    await page.setViewportSize(desktop);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('closing a track returns the focus to its row', async () => {
    await page.getByRole('button', { name: 'Close player' }).press('Enter');
    await player.waitFor({ state: 'detached' });
    await untilEqual(
      'whether the row has the focus',
      () => row.evaluate((element) => element === document.activeElement),
      true,
    );
  });
});
