import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from './browser.ts';
import { trackRow } from './library-page.ts';
import { setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';

test('a folder catalog can be browsed and searched, and imports a single song or a playlist', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-music-'));
  t.after(() => rm(folder, { recursive: true }));
  for (const [index, name] of ['Ebb - Tide', 'Ebb - Foam', 'Flow - River'].entries())
    await writeFile(join(folder, `${name}.wav`), smallSong(3 + index, 1 + index / 10));
  await writeFile(join(folder, 'Evening.m3u8'), '#EXTM3U\nEbb - Tide.wav\nEbb - Foam.wav\n');
  const settings = { CATALOG_FOLDER: folder, AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' };
  const studio = await startStudio(t, settings);
  const { page, shoot } = await visit(t, studio);
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import demo album' }).waitFor();

  await page.getByRole('button', { name: 'Browse catalog' }).click();
  const dialog = page.getByRole('dialog', { name: 'Browse catalog' });
  await dialog.getByText('Playlist · 3 songs').waitFor();
  await shoot('browse');
  await dialog.getByRole('button', { name: 'Import “Evening”' }).click();
  await dialog.getByText('Importing 2 songs.').waitFor();
  await page.keyboard.press('Escape');
  for (const title of ['Tide', 'Foam']) await trackRow(page, title).waitFor();

  await page.getByLabel('Catalog link').fill('flow river');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await dialog.getByText('Flow · 0:05').waitFor();
  await shoot('browse-found');
  await dialog.getByRole('button', { name: 'Import “River”' }).click();
  await dialog.getByText('Importing 1 song.').waitFor();
  await dialog.getByRole('searchbox').fill('no such song');
  await dialog.getByText('Nothing in the catalog matches “no such song”.').waitFor();
  await page.keyboard.press('Escape');
  await trackRow(page, 'River').waitFor();

  // Files added later are shown in the open dialog after the next scan.
  await page.getByRole('button', { name: 'Browse catalog' }).click();
  await dialog.getByText('Playlist · 3 songs').waitFor();
  await writeFile(join(folder, 'Ebb - Spray.wav'), smallSong(3, 2));
  await dialog.getByRole('button', { name: 'Scan folder' }).click();
  await dialog.getByText('Playlist · 4 songs').waitFor();
});
