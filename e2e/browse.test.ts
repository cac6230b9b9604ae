import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertAccessible } from './accessibility.ts';
import { desktop, phone, visit } from './browser.ts';
import { clearSearch, searchField, titlesShown, trackRow } from './library-page.ts';
import { setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';
import { until, untilEqual, untilFits } from './until.ts';

const sizes = [desktop, { width: 1280, height: 720 }, { width: 1024, height: 768 }, phone];

test('one field searches the library and a folder catalog and imports from it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-music-'));
  t.after(() => rm(folder, { recursive: true }));
  for (const [index, name] of ['Ebb - Tide', 'Ebb - Foam', 'Flow - River'].entries())
    await writeFile(join(folder, `${name}.wav`), smallSong(3 + index, 1 + index / 10));
  await writeFile(join(folder, 'Evening.m3u8'), '#EXTM3U\nEbb - Tide.wav\nEbb - Foam.wav\n');
  const settings = { CATALOG_FOLDER: folder, AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' };
  const studio = await startStudio(t, settings);
  const { page, shoot } = await visit(t, studio);
  await setUp(page, studio);
  const field = searchField(page);
  const results = page.getByRole('listbox', { name: 'Search results' });
  const songs = page.getByRole('dialog', { name: 'Evening' });

  await t.test('the first visit has one field and fits four sizes without violations of axe', async () => {
    await page.getByRole('button', { name: 'Import demo album' }).waitFor();
    for (const size of sizes) {
      await page.setViewportSize(size);
      await untilEqual('search fields', () => field.count(), 1);
      await untilFits(page);
      await assertAccessible(page, `first visit at ${size.width}`);
      await shoot(`first-visit-${size.width}`);
    }
    await page.setViewportSize(desktop);
  });

  await t.test('the page needs at most 150 kB of script before a panel is opened', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Import demo album' }).waitFor();
    const loaded = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.endsWith('.js')),
      );
    // The socket follows after the first paint; the first visit is a panel of its own.
    await until('the socket client', loaded, (urls) => urls.some((url) => url.includes('/phoenix-')));
    const scripts = (await loaded()).filter((url) => !url.includes('/first-visit-'));
    let bytes = 0;
    for (const url of new Set(scripts)) {
      const reply = await fetch(url, { headers: { 'accept-encoding': 'br' } });
      const length = Number(reply.headers.get('content-length'));
      await reply.body?.cancel();
      assert.ok(length > 0, url);
      bytes += length;
    }
    assert.ok(bytes <= 150_000, `${bytes} bytes of script: ${scripts.join(', ')}`);
  });

  await t.test('names the site of a link that is not of the catalog', async () => {
    await field.fill('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
    await page.getByRole('button', { name: 'Import link' }).click();
    await page.getByText('YouTube links are not supported. Connect a catalog or upload the file.').waitFor();
    await shoot('link-refused');
    await clearSearch(page);
  });

  await t.test('a playlist opens before its import, and imports the checked songs', async () => {
    await field.fill('evening');
    const option = results.getByRole('option', { name: /Evening.*2 songs/ });
    await option.waitFor();
    await assertAccessible(page, 'search results');
    await shoot('search-results-first-visit');
    await field.press('ArrowDown');
    await untilEqual('the active option', () => option.getAttribute('aria-selected'), 'true');
    await field.press('Enter');
    await songs.getByRole('button', { name: 'Import 2 songs' }).waitFor();
    await assertAccessible(page, 'songs of a playlist');
    await shoot('songs-of-playlist');
    await songs.getByRole('checkbox', { name: /Foam/ }).uncheck();
    await songs.getByRole('button', { name: 'Import 1 song', exact: true }).click();
    await songs.getByText('Importing 1 song.').waitFor();
    await songs.getByRole('button', { name: 'Close' }).last().click();
    await trackRow(page, 'Tide').waitFor();
    assert.deepEqual(await titlesShown(page), ['Tide']);
  });

  await t.test('songs of the library are marked, and results of both are grouped', async () => {
    await clearSearch(page);
    await field.fill('ti');
    await results.getByRole('group', { name: 'Library' }).getByRole('option', { name: /Tide/ }).waitFor();
    const river = results.getByRole('option', { name: /River/ });
    await field.fill('evening');
    await results.getByRole('option', { name: /Evening/ }).click();
    await songs.getByText('1 song already in the library').waitFor();
    await songs.getByRole('checkbox', { name: /Tide/, disabled: true, checked: true }).waitFor();
    await page.keyboard.press('Escape');
    await clearSearch(page);
    await field.fill('river');
    await river.getByText('Import', { exact: true }).click();
    await river.getByText('Importing 1 song.').waitFor();
    for (const size of sizes) {
      await page.setViewportSize(size);
      await untilFits(page);
      await shoot(`search-results-${size.width}`);
    }
    await page.setViewportSize(desktop);
    await clearSearch(page);
    await trackRow(page, 'River').waitFor();
  });

  await t.test('the catalog browser lists all and shows files that a scan found', async () => {
    await field.click();
    await results.getByRole('option', { name: /Browse catalog/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Browse catalog' });
    await dialog.getByText('Playlist · 3 songs').waitFor();
    await dialog.getByRole('searchbox').fill('no such song');
    await dialog.getByText('Nothing in the catalog matches “no such song”.').waitFor();
    await dialog.getByRole('searchbox').fill('');
    await mkdir(join(folder, 'more'));
    await writeFile(join(folder, 'more', 'Ebb - Spray.wav'), smallSong(3, 2));
    await dialog.getByRole('button', { name: 'Scan folder' }).click();
    await dialog.getByText('Playlist · 4 songs').waitFor();
    await shoot('browse');
    await page.keyboard.press('Escape');
  });
});
