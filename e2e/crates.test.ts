import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { desktop, phone, visit } from './browser.ts';
import { elementLevel, elementsPlaying, tapElements } from './element-audio.ts';
import { chooseInRow, clearSearch, searchField, trackRow, untilTitles, uploadSong } from './library-page.ts';
import { setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';
import { until, untilEqual, untilFits } from './until.ts';

const crateOf = (page: Page, name: string) => page.getByRole('treeitem', { name });
const cratesShown = (page: Page) =>
  page
    .getByRole('tree', { name: 'Crates' })
    .getByRole('treeitem')
    .locator('span:first-of-type')
    .allTextContents();

test('crates', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' });
  const { page, context, shoot } = await visit(t, studio);
  await context.addInitScript(tapElements);
  await setUp(page, studio);
  for (const [name, pitch] of [
    ['Amber', 1],
    ['Birch', 1.1],
    ['Cobalt', 1.2],
  ] as const)
    await uploadSong(page, name, smallSong(6, pitch));
  await page.goto('/');
  // A track can be dragged and played once its audio is there.
  for (const title of ['Amber', 'Birch', 'Cobalt'])
    await page.locator(`button[aria-label="Play ${title}"]:enabled`).waitFor();

  await t.test('a crate is created, takes dropped tracks, and shows their number', async () => {
    await page.getByRole('button', { name: 'New crate' }).click();
    await page.getByRole('textbox', { name: 'Name of the new crate' }).fill('Openers');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Openers', exact: true }).waitFor();
    await page.getByText('No tracks in this crate').waitFor();
    await crateOf(page, 'All tracks').click();
    await trackRow(page, 'Cobalt').dragTo(crateOf(page, 'Openers'));
    await crateOf(page, 'Openers').getByText('1').waitFor({ state: 'attached' });
    await trackRow(page, 'Amber').click({ modifiers: ['Control'] });
    await trackRow(page, 'Birch').click({ modifiers: ['Control'] });
    await trackRow(page, 'Amber').dragTo(crateOf(page, 'Openers'));
    await crateOf(page, 'Openers').getByText('3').waitFor({ state: 'attached' });
    await crateOf(page, 'Openers').click();
    await page.waitForURL(/\?crate=/);
    await until(
      'the tracks of the crate',
      async () => page.getByRole('status').filter({ hasText: '3 tracks' }).count(),
      (count) => count === 1,
    );
    await shoot('crate');
  });

  await t.test('tracks are reordered in a crate by drag and by keyboard, with Undo', async () => {
    await untilTitles(page, ['Cobalt', 'Amber', 'Birch']);
    await trackRow(page, 'Birch').dragTo(trackRow(page, 'Cobalt'), { targetPosition: { x: 300, y: 4 } });
    await untilTitles(page, ['Birch', 'Cobalt', 'Amber']);
    await page.keyboard.press('Control+z');
    await untilTitles(page, ['Cobalt', 'Amber', 'Birch']);
    await trackRow(page, 'Cobalt').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await untilTitles(page, ['Amber', 'Cobalt', 'Birch']);
    await page.reload();
    await untilTitles(page, ['Amber', 'Cobalt', 'Birch']);
  });

  await t.test('search and columns work within a crate', async () => {
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await untilTitles(page, ['Amber', 'Birch', 'Cobalt']);
    await page.keyboard.press('Control+k');
    await searchField(page).fill('bir');
    await untilTitles(page, ['Birch']);
    await clearSearch(page);
    await untilTitles(page, ['Amber', 'Birch', 'Cobalt']);
  });

  await t.test('Del removes from the crate, and the track stays in the library', async () => {
    await trackRow(page, 'Birch').focus();
    await page.keyboard.press('Delete');
    await untilTitles(page, ['Amber', 'Cobalt']);
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await untilTitles(page, ['Amber', 'Birch', 'Cobalt']);
    await chooseInRow(page, 'Birch', /^Remove from crate/);
    await untilTitles(page, ['Amber', 'Cobalt']);
    await crateOf(page, 'All tracks').click();
    await trackRow(page, 'Birch').waitFor();
  });

  await t.test('a search is kept as a smart crate, and follows the library', async () => {
    await page.keyboard.press('Control+k');
    await searchField(page).fill('tag:peak');
    // Closes the list of results, and keeps the search.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save search as crate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save search as crate' });
    await dialog.getByLabel('Name').fill('Peak');
    assert.equal(await dialog.getByLabel('Search').inputValue(), 'tag:peak');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Peak', exact: true }).waitFor();
    await clearSearch(page);
    await crateOf(page, 'All tracks').click();
    await chooseInRow(page, 'Amber', /^Edit/);
    const edit = page.getByRole('dialog', { name: 'Edit track' });
    await edit.getByLabel('Tags', { exact: true }).fill('peak');
    await edit.getByLabel('Tags', { exact: true }).press('Enter');
    await edit.getByRole('button', { name: 'Save' }).click();
    await crateOf(page, 'Peak').getByText('1').waitFor({ state: 'attached' });
    await crateOf(page, 'Peak').click();
    await untilTitles(page, ['Amber']);
    await shoot('smart-crate');
  });

  await t.test('crates are renamed, moved and deleted by keyboard, with Undo', async () => {
    await crateOf(page, 'Peak').focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New name of Peak' }).fill('Peak time');
    await page.keyboard.press('Enter');
    await crateOf(page, 'Peak time').waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await untilEqual('crates', () => cratesShown(page), ['Peak time', 'Openers']);
    await crateOf(page, 'Openers').focus();
    await page.keyboard.press('Delete');
    await untilEqual('crates', () => cratesShown(page), ['Peak time']);
    await page.getByText('Deleted “Openers”').waitFor();
    await page.keyboard.press('Control+z');
    await untilEqual('crates', () => cratesShown(page), ['Peak time', 'Openers']);
    await crateOf(page, 'Openers').getByText('2').waitFor({ state: 'attached' });
  });

  await t.test('a click in the waveform plays from there, and Space pauses', async () => {
    await crateOf(page, 'All tracks').click();
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await untilTitles(page, ['Amber', 'Birch', 'Cobalt']);
    const wave = trackRow(page, 'Amber').locator('[data-column="wave"] > *');
    const box = await wave.boundingBox();
    assert.ok(box);
    await wave.click({ position: { x: box.width / 2, y: box.height / 2 } });
    const player = page.getByRole('region', { name: 'Mini player' });
    await player.getByRole('button', { name: 'Pause (Space)' }).waitFor();
    await until(
      'audio',
      () => elementLevel(page, 0.3),
      (level) => level > 0.01,
    );
    await untilEqual('position', async () => position(page).then((seconds) => seconds >= 3), true);
    await shoot('mini-player');
    await crateOf(page, 'Openers').click();
    await page.getByRole('heading', { name: 'Openers', exact: true }).waitFor();
    assert.equal(await elementsPlaying(page), 1);
    await page.keyboard.press('Space');
    await player.getByRole('button', { name: 'Play (Space)' }).waitFor();
    assert.equal(await elementsPlaying(page), 0);
  });

  await t.test('the next track follows, and never do two play at once', async () => {
    await crateOf(page, 'All tracks').click();
    const player = page.getByRole('region', { name: 'Mini player' });
    await player.getByRole('button', { name: 'Next track' }).click();
    await player.getByRole('button', { name: /^(Birch|Cobalt)$/ }).waitFor();
    await player.getByRole('button', { name: 'Pause (Space)' }).waitFor();
    assert.equal(await elementsPlaying(page), 1);
    await trackRow(page, 'Amber').dblclick();
    await page.getByRole('region', { name: 'Player' }).waitFor();
    await page.getByRole('button', { name: 'Pause (Space)' }).waitFor();
    await untilEqual('audio elements that play', () => elementsPlaying(page), 1);
    await page.goto('/');
  });

  await t.test('a played track is in the history, which is saved as a crate', async () => {
    await page.getByRole('button', { name: 'Play Amber' }).click();
    await until(
      'a play of Amber',
      async () => {
        const reply = await page.request.get('/api/history');
        return JSON.stringify(await reply.json());
      },
      (text) => text.includes('Amber'),
    );
    await page.getByRole('button', { name: 'Close mini player' }).click();
    await crateOf(page, 'History').click();
    await page.waitForURL(/list=history/);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByRole('button', { name: 'Amber' }).waitFor();
    await shoot('history');
    await history.getByRole('button', { name: 'Save as crate' }).click();
    await page.waitForURL(/\?crate=/);
    await untilTitles(page, ['Amber']);
    await assertAccessible(page, 'a crate');
  });

  await t.test('on a phone the lists are in a drawer, and nothing is wider than the page', async () => {
    await page.setViewportSize(phone);
    await page.getByRole('button', { name: 'Lists' }).click();
    await crateOf(page, 'Recently added').waitFor();
    await shoot('drawer-phone');
    await crateOf(page, 'Recently added').click();
    await page.getByRole('heading', { name: 'Recently added' }).waitFor();
    await trackRow(page, 'Cobalt').waitFor();
    await page.getByRole('button', { name: 'Play Cobalt' }).click();
    await page
      .getByRole('region', { name: 'Mini player' })
      .getByRole('button', { name: 'Pause (Space)' })
      .waitFor();
    await untilFits(page);
    await shoot('mini-player-phone');
    await assertAccessible(page, 'the mini player on a phone');
    await page.setViewportSize(desktop);
  });
});

const position = async (page: Page) =>
  Number(await page.getByRole('slider', { name: 'Position' }).getAttribute('aria-valuenow'));
