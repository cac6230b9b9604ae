import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { desktop, phone } from './browser.ts';
import { openTrackTab } from './player-page.ts';
import { openSmallSong } from './small-song-page.ts';

const stemsLimitMs = 180_000;
const notesLimitMs = 180_000;

test('transcribed notes of a song and its stems', async (t) => {
  const { page, shoot } = await openSmallSong(t, 8);
  const panel = page.getByRole('region', { name: 'Notes', exact: true });
  const roll = (name: string) => panel.getByRole('slider', { name, exact: true });
  const choose = (label: string) => page.getByRole('menuitem', { name: label, exact: true }).click();
  await page.getByRole('button', { name: 'Download Bass' }).waitFor({ timeout: stemsLimitMs });
  await page.getByRole('button', { name: 'Expand player' }).click();
  await openTrackTab(page, 'Notes');

  await t.test('the whole song can be transcribed', async () => {
    await panel.getByText('No notes yet').waitFor();
    await panel.getByRole('button', { name: 'Transcribe to MIDI' }).click();
    await page.getByText('Drums have no pitch.').waitFor();
    await shoot('notes-menu');
    await choose('Whole song');
    await roll('Whole song').waitFor({ timeout: notesLimitMs });
    await panel
      .locator('[data-readout]')
      .getByText(/^\d+ notes · /)
      .waitFor();
  });

  await t.test('a stem can be transcribed from its row, except drums', async () => {
    await openTrackTab(page, 'Mix');
    await page.getByRole('button', { name: 'Download Drums' }).click();
    await page.getByRole('menuitem', { name: 'Drums as WAV' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: /notes/i }).count(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Download Bass' }).click();
    await choose('Transcribe Bass to MIDI');
    await openTrackTab(page, 'Notes');
    await roll('Bass').waitFor({ timeout: notesLimitMs });
    await openTrackTab(page, 'Mix');
    await page.getByRole('button', { name: 'Download Bass' }).click();
    await page.getByRole('menuitem', { name: 'Notes of Bass as MIDI' }).waitFor();
    await page.keyboard.press('Escape');
    await openTrackTab(page, 'Notes');
  });

  await t.test('notes can be read by keyboard and as a table', async () => {
    await roll('Bass').scrollIntoViewIfNeeded();
    await roll('Bass').press('Home');
    await roll('Bass').press('ArrowRight');
    const figure = panel
      .locator('figure')
      .filter({ has: page.getByRole('slider', { name: 'Bass', exact: true }) });
    await figure
      .locator('[data-readout]')
      .getByText(/from \d/)
      .waitFor();
    await shoot('notes');
    await page.setViewportSize(phone);
    await roll('Bass').scrollIntoViewIfNeeded();
    await shoot('notes-phone');
    await page.setViewportSize(desktop);
    await panel.getByRole('button', { name: 'Bass as a table' }).click();
    const rows = panel.getByRole('region', { name: 'Bass: table' }).getByRole('row');
    await rows.nth(1).waitFor();
    await panel.getByRole('button', { name: 'Bass as a table' }).click();
  });

  await t.test('notes download as a MIDI file', async () => {
    await panel.getByRole('button', { name: 'Download notes of Bass' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), choose('MIDI, quantised to 1/16')]);
    assert.equal(file.suggestedFilename(), 'Small song (bass notes).mid');
    assert.equal((await readFile(await file.path())).subarray(0, 4).toString('latin1'), 'MThd');
  });

  await t.test('notes can be deleted', async () => {
    await panel.getByRole('button', { name: 'Delete notes of Whole song' }).click();
    await roll('Whole song').waitFor({ state: 'detached' });
    await roll('Bass').waitFor();
  });
});
