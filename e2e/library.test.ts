import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { assertAccessible } from './accessibility.ts';
import { desktop, phone, visit } from './browser.ts';
import {
  chooseInRow,
  clearSearch,
  dropFiles,
  searchField,
  titlesShown,
  trackRow,
  untilTitles,
} from './library-page.ts';
import { setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';
import { untilEqual, untilFits } from './until.ts';

const wav = (name: string, seconds: number, pitch: number) => ({
  name: `${name}.wav`,
  type: 'audio/wav',
  bytes: smallSong(seconds, pitch),
});

test('library', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' });
  const { page, shoot } = await visit(t, studio);
  await setUp(page, studio);

  await t.test('files dropped on the window become tracks with their length', async () => {
    await page.getByRole('button', { name: 'Import demo album' }).waitFor();
    await dropFiles(page, [wav('Amber', 5, 1), wav('Cobalt', 7, 1.1), wav('Birch', 6, 1.2)]);
    for (const [title, length] of [
      ['Amber', '0:05'],
      ['Birch', '0:06'],
      ['Cobalt', '0:07'],
    ] as const) {
      await trackRow(page, title).getByText(length).waitFor();
    }
    await shoot('library');
  });

  await t.test('rejects a file without audio with an error and adds no track', async () => {
    await dropFiles(page, [
      { name: 'letter.wav', type: 'audio/wav', bytes: Buffer.from('Dear listener, '.repeat(99)) },
    ]);
    const line = page
      .getByRole('region', { name: 'Uploads' })
      .getByRole('listitem')
      .filter({ hasText: 'letter.wav' });
    await line.getByRole('alert').waitFor();
    await shoot('upload-refused');
    await page.getByRole('button', { name: 'Clear' }).click();
    await line.waitFor({ state: 'detached' });
    await untilEqual('titles shown', async () => (await titlesShown(page)).sort(), [
      'Amber',
      'Birch',
      'Cobalt',
    ]);
  });

  await t.test('a click on a column header sorts by it, a second click reverses the order', async () => {
    const header = page.getByRole('columnheader', { name: 'Title' }).getByRole('button');
    await header.click();
    await untilTitles(page, ['Amber', 'Birch', 'Cobalt']);
    await header.click();
    await untilTitles(page, ['Cobalt', 'Birch', 'Amber']);
  });

  await t.test('search finds text in title, artist and tags', async () => {
    const search = searchField(page);
    await page.keyboard.press('Control+k');
    await search.fill('bir');
    await untilTitles(page, ['Birch']);
    await search.fill('no such song');
    await page.getByText('Nothing in the library matches “no such song”').waitFor();
    await clearSearch(page);
    await untilTitles(page, ['Cobalt', 'Birch', 'Amber']);
  });

  await t.test('saves edited metadata', async () => {
    await chooseInRow(page, 'Birch', /^Edit/);
    const dialog = page.getByRole('dialog', { name: 'Edit track' });
    await dialog.getByLabel('Title').fill('Silver birch');
    await dialog.getByLabel('Artist').fill('The Foresters');
    await dialog.getByLabel('Tempo in BPM').fill('0');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByText(/20 to 300|must/)
      .first()
      .waitFor();
    await dialog.getByLabel('Tempo in BPM').fill('120');
    await dialog.getByLabel('Tags', { exact: true }).fill('autumn');
    await dialog.getByLabel('Tags', { exact: true }).press('Enter');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.reload();
    const row = trackRow(page, 'Silver birch');
    await row.getByText('The Foresters').waitFor();
    await row.getByText('120').waitFor();
    await row.getByText('autumn').waitFor();
  });

  const bar = page.getByRole('toolbar', { name: 'Actions for the selection' });

  await t.test('Ctrl, Shift and Ctrl+A select rows, and Escape clears the selection', async () => {
    const [first = '', second = '', third = ''] = await titlesShown(page);
    await trackRow(page, first).click({ modifiers: ['Control'] });
    await bar.getByText('1 selected').waitFor();
    await trackRow(page, third).click({ modifiers: ['Shift'] });
    await bar.getByText('3 selected').waitFor();
    await trackRow(page, second).click({ modifiers: ['Control'] });
    await bar.getByText('2 selected').waitFor();
    await untilEqual('selected rows', () => page.getByRole('row', { selected: true }).count(), 2);
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+a');
    await bar.getByText('3 selected').waitFor();
    await shoot('library-selected');
    await page.keyboard.press('Escape');
    assert.equal(new URL(page.url()).searchParams.get('track'), null);
  });

  await t.test('edits the selected tracks at once, and Ctrl+Z undoes the edit', async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Genre' }).click();
    // Past the hidden column of albums, then before the stems.
    await page.getByRole('button', { name: 'Move Genre up' }).click();
    await page.getByRole('button', { name: 'Move Genre up' }).click();
    await page.keyboard.press('Escape');
    for (const title of ['Amber', 'Cobalt'])
      await trackRow(page, title).click({ modifiers: ['Control'], position: { x: 90, y: 10 } });
    await trackRow(page, 'Cobalt').click({ button: 'right', position: { x: 90, y: 10 } });
    await page.getByRole('menuitem', { name: /^Edit 2 tracks/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 2 tracks' });
    await dialog.getByLabel('Year', { exact: true }).fill('99');
    await dialog.getByText(/four digits/).waitFor();
    await dialog.getByRole('checkbox', { name: 'Change year' }).click();
    await dialog.getByLabel('Genre', { exact: true }).fill('House');
    await dialog.getByLabel('Add tags', { exact: true }).fill('warm');
    await dialog.getByLabel('Add tags', { exact: true }).press('Enter');
    await shoot('library-edit-selected');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    for (const title of ['Amber', 'Cobalt']) {
      await trackRow(page, title).getByText('House').waitFor();
      await trackRow(page, title).getByText('warm').waitFor();
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await trackRow(page, 'Amber').getByText('House').waitFor({ state: 'detached' });
    await trackRow(page, 'Cobalt').getByText('warm').waitFor({ state: 'detached' });
  });

  await t.test('keeps the chosen columns and the density, and a header can be dragged', async () => {
    await page.getByRole('button', { name: 'Compact rows' }).click();
    await page.reload();
    const names = () => page.getByRole('columnheader').allInnerTexts();
    const shown = ['Title', 'Artist', 'Waveform', 'BPM', 'Key', 'Time', 'Rating', 'Tags', 'Genre', 'Stems'];
    await untilEqual('columns', async () => (await names()).slice(1, -1), shown);
    assert.equal((await trackRow(page, 'Amber').boundingBox())?.height, 36);
    await page
      .getByRole('columnheader', { name: 'Genre' })
      .dragTo(page.getByRole('columnheader', { name: 'Artist' }));
    const moved = ['Title', 'Genre', ...shown.filter((name) => name !== 'Title' && name !== 'Genre')];
    await untilEqual('columns', async () => (await names()).slice(1, -1), moved);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Compact rows' }).click();
    await page.getByRole('columnheader', { name: 'Genre' }).waitFor({ state: 'detached' });
    assert.equal((await trackRow(page, 'Amber').boundingBox())?.height, 40);
  });

  await t.test('filters are shown with the count and removed one by one', async () => {
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Tag', { exact: true }).fill('autumn');
    await page.getByLabel('BPM from').fill('110');
    await untilTitles(page, ['Silver birch']);
    await page.getByText('1 of 3 tracks').waitFor();
    await shoot('library-filter');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove filter: tempo 110 or more' }).click();
    await page.getByRole('button', { name: 'Remove filter: tag with “autumn”' }).click();
    await page.getByText('3 tracks', { exact: true }).waitFor();
  });

  await t.test('digits and stars rate a track', async () => {
    const stars = (title: string) => trackRow(page, title).getByRole('button', { name: /^Rating of/ });
    await trackRow(page, 'Amber').focus();
    await page.keyboard.press('4');
    await trackRow(page, 'Amber').getByRole('button', { name: 'Rating of Amber: 4 of 5 stars' }).waitFor();
    const { width = 0 } = (await stars('Cobalt').boundingBox()) ?? {};
    await stars('Cobalt').click({ position: { x: width * 0.5, y: 8 } });
    await trackRow(page, 'Cobalt').getByRole('button', { name: 'Rating of Cobalt: 3 of 5 stars' }).waitFor();
    await page.keyboard.press('Control+z');
    await trackRow(page, 'Cobalt').getByRole('button', { name: 'Rating of Cobalt: 0 of 5 stars' }).waitFor();
  });

  await t.test('several deleted tracks are restored by one Undo', async () => {
    await trackRow(page, 'Amber').click({ modifiers: ['Control'], position: { x: 90, y: 10 } });
    await trackRow(page, 'Cobalt').click({ modifiers: ['Control'], position: { x: 90, y: 10 } });
    await bar.getByRole('button', { name: 'Delete 2 tracks' }).click();
    await untilTitles(page, ['Silver birch']);
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await untilEqual('titles', async () => (await titlesShown(page)).sort(), [
      'Amber',
      'Cobalt',
      'Silver birch',
    ]);
  });

  await t.test('a deleted track disappears at once and can be restored with Undo', async () => {
    await chooseInRow(page, 'Amber', /^Delete/);
    await trackRow(page, 'Amber').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await trackRow(page, 'Amber').waitFor();
    await page.reload();
    await trackRow(page, 'Amber').waitFor();

    await chooseInRow(page, 'Amber', /^Delete/);
    await trackRow(page, 'Amber').waitFor({ state: 'hidden' });
    await page.reload();
    await trackRow(page, 'Cobalt').waitFor();
    // Files of one upload are listed in the order in which they were processed.
    await untilEqual('titles', async () => (await titlesShown(page)).sort(), ['Cobalt', 'Silver birch']);
  });

  await t.test('Ctrl+Z restores the track that was deleted last', async () => {
    await chooseInRow(page, 'Cobalt', /^Delete/);
    await trackRow(page, 'Cobalt').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+z');
    await trackRow(page, 'Cobalt').waitFor();
  });

  await t.test(
    'the trash lists deleted tracks with the time left, restores them and deletes them for good',
    async () => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Trash' }).click();
      const trash = page.getByRole('region', { name: 'Trash' });
      const row = trash.getByRole('listitem', { name: 'Amber' });
      await row.getByText('29 days left').waitFor();
      await shoot('trash');
      await page.setViewportSize(phone);
      await shoot('trash-phone');
      await page.setViewportSize(desktop);
      await row.getByRole('button', { name: 'Restore' }).click();
      await trash.getByText('The trash is empty').waitFor();
      await page.getByRole('link', { name: 'Library' }).click();
      await chooseInRow(page, 'Amber', /^Delete/);
      await trackRow(page, 'Amber').waitFor({ state: 'hidden' });
      await page.goto('/?tab=trash');
      await row.getByRole('button', { name: 'Delete for good' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
      await trash.getByText('The trash is empty').waitFor();
      await page.getByRole('link', { name: 'Library' }).click();
      await untilEqual('titles', async () => (await titlesShown(page)).sort(), ['Cobalt', 'Silver birch']);
    },
  );

  await t.test('the list can be navigated by keyboard', async () => {
    await page.locator('[role="row"][tabindex="0"]').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/track=/);
    await page.getByRole('region', { name: 'Player' }).waitFor();
  });

  await t.test('a file whose recording the library has already is offered for a decision', async () => {
    await page.goto('/');
    await trackRow(page, 'Cobalt').waitFor();
    const { bytes, ...file } = wav('Cobalt copy', 7, 1.1);
    // Another chunk changes the bytes of the file, not its samples.
    const copy = Buffer.concat([bytes, Buffer.from('junk\x04\0\0\0copy', 'latin1')]);
    copy.writeUInt32LE(copy.length - 8, 4);
    await dropFiles(page, [{ ...file, bytes: copy }]);
    const offer = page.getByRole('region', { name: 'Already in the library' });
    await offer.getByText('“Cobalt copy” is in the library already: “Cobalt”').waitFor();
    await page.getByRole('region', { name: 'Uploads' }).getByText('1 file uploaded').waitFor();
    await assertAccessible(page, 'uploads and known recordings');
    await shoot('known-recording');
    await page.setViewportSize(phone);
    await untilFits(page);
    await shoot('known-recording-phone');
    await page.setViewportSize(desktop);
    await page.reload();
    await offer.getByText('“Cobalt copy” is in the library already: “Cobalt”').waitFor();
    await offer.getByRole('button', { name: 'Delete the new one' }).click();
    await offer.waitFor({ state: 'detached' });
    await untilEqual('titles', async () => (await titlesShown(page)).sort(), ['Cobalt', 'Silver birch']);
  });

  await t.test('Cancel all ends the open uploads and leaves the others', async () => {
    const address = `**${uploadFile.path}`;
    // The uploads are never answered, so that they are open until they are cancelled.
    await page.route(address, () => undefined);
    await dropFiles(page, [wav('Dune', 2, 1.3), wav('Elm', 2, 1.4), wav('Fern', 2, 1.5)]);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText('Uploading: 0 of 3 files').waitFor();
    await shoot('uploads');
    await uploads.getByRole('button', { name: 'Cancel all' }).click();
    await uploads.getByText('3 files cancelled').waitFor();
    await page.unroute(address);
    await uploads.getByRole('button', { name: 'Clear' }).click();
    await uploads.waitFor({ state: 'detached' });
    await untilEqual('titles', async () => (await titlesShown(page)).sort(), ['Cobalt', 'Silver birch']);
  });
});
