import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { assertAccessible } from './accessibility.ts';
import { desktop, phone } from './browser.ts';
import { openTrackTab, setTempo } from './player-page.ts';
import { openSmallSong } from './small-song-page.ts';
import { until, untilEqual, untilMatch } from './until.ts';

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

  await t.test('a piano roll zooms, plays with the song and auditions a note', async () => {
    const figure = panel.locator('figure[data-chart="notes-bass"]');
    const height = async () => (await roll('Bass').boundingBox())?.height ?? 0;
    const before = await height();
    await figure.getByRole('button', { name: 'Higher keys' }).click();
    await until('height of the roll', height, (now) => now > before);
    await figure.getByRole('button', { name: 'Zoom in' }).click();
    await figure.getByRole('button', { name: 'Fit song', disabled: false }).click();
    await page.evaluate(() => {
      const counted = globalThis as unknown as { tones: number };
      counted.tones = 0;
      // oxlint-disable-next-line typescript/unbound-method -- always called with a node as `this`
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (this: OscillatorNode, at?: number) {
        counted.tones += 1;
        start.call(this, at);
      };
    });
    const tones = () => page.evaluate(() => (globalThis as unknown as { tones: number }).tones);
    // A key of the keyboard.
    await figure
      .locator('canvas')
      .nth(1)
      .click({ position: { x: 30, y: 20 } });
    await untilEqual('tones started', tones, 1);
    await figure.getByRole('button', { name: 'Play notes of Bass' }).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await until('tones started', tones, (count) => count > 2);
    await page.keyboard.press('Space');
    await figure.getByRole('button', { name: 'Play notes of Bass', pressed: true }).click();
    await shoot('piano-roll');
    await assertAccessible(page, 'Notes');
  });

  await t.test('the header shows tempo and key as set, and the lanes the chord that sounds', async () => {
    await openTrackTab(page, 'Mix');
    const fact = (index: number) => page.getByRole('definition').nth(index);
    const [bpm, key] = [Number.parseFloat(await fact(0).innerText()), await fact(1).innerText()];
    assert.ok(bpm > 0 && /major|minor/.test(key), `${bpm}, ${key}`);
    await setTempo(page, String(bpm - 10));
    await untilEqual('BPM shown', async () => Number.parseFloat(await fact(0).innerText()), bpm - 10);
    await page.getByRole('button', { name: 'Key up' }).click();
    await untilMatch('key shown', () => fact(1).innerText(), /^\d+[AB] · [A-G][♭♯]? (major|minor)$/);
    assert.notEqual(await fact(1).innerText(), key);
    await page.getByText(/^[A-G][♭♯]? (major|minor) → [A-G][♭♯]? (major|minor)$/).waitFor();
    await untilMatch('chord', () => page.locator('[data-chord]').innerText(), /^[A-G–]/);
    await page.getByRole('slider', { name: 'Low EQ of Bass' }).press('Home');
    const low = page.getByRole('slider', { name: 'Low EQ of Bass' });
    await untilEqual('EQ', () => low.getAttribute('aria-valuetext'), 'off');
    await low.press('Delete');
    await untilEqual('EQ', () => low.getAttribute('aria-valuetext'), '0 dB');
    await page.getByRole('slider', { name: 'Pan of Bass' }).press('ArrowLeft');
    const pan = page.getByRole('slider', { name: 'Pan of Bass' });
    await untilEqual('pan', () => pan.getAttribute('aria-valuetext'), 'L 5');
    await shoot('mix-as-set');
    await page.getByRole('button', { name: /, reset tempo$/ }).click();
    await page.getByRole('button', { name: /, reset key$/ }).click();
    await untilEqual('key shown', () => fact(1).innerText(), key);
    await assertAccessible(page, 'Mix');
    await openTrackTab(page, 'Notes');
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
