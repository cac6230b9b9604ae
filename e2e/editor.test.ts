import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import type { Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { downloadProject, shootSmaller, untilSaved } from './editor-page.ts';
import { measure, tapOutputs, untilLevel } from './output-analysers.ts';
import { openSmallSong } from './small-song-page.ts';
import { until, untilEqual } from './until.ts';

/** Time limit for a separation, in ms; only a hanging one reaches it. */
const separationLimitMs = 300_000;

/** Drags over the timeline of the lanes; x and y are parts of its width and height. */
async function dragOver(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  const box = await page.locator('[data-editor-field]').boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height, { steps: 4 });
  await page.mouse.up();
}

/** @spec Projects @spec Edit operations */
test('edits the stems of a song, keeps each step over a reload, and shows it in another window', async (t) => {
  const { page, context, shoot } = await openSmallSong(t, 12, { AUTO_ANALYZE: 'off' });
  await page.addInitScript(tapOutputs);
  await page.reload();
  await page.getByRole('button', { name: 'Open in editor' }).click({ timeout: separationLimitMs });
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('group', { name: 'Vocals' }).waitFor();
  const names = page.getByRole('region', { name: 'Editor' }).getByRole('group');
  await untilEqual(
    'lanes',
    () => names.evaluateAll((found) => found.map((lane) => lane.getAttribute('aria-label'))),
    ['Playback', 'Selection', 'Vocals', 'Drums', 'Bass', 'Other', 'Clips'],
  );
  await untilSaved(page);

  const position = page.getByRole('timer', { name: 'Position' });
  await page.keyboard.press('Space');
  const playing = await untilLevel(page, 'master', 0.02);
  t.diagnostic(`the editor plays ${JSON.stringify(playing)}`);
  await until(
    'a position after the first second',
    () => position.textContent(),
    (text) => Number(text?.split(':')[1]) >= 1,
  );
  await shoot('editor-playing');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Play (Space)' }).waitFor();
  await until(
    'silence after a pause',
    () => measure(page, 'master'),
    ({ level }) => level < 1e-4,
  );
  await page.keyboard.press('Home');

  // The lower half of the first lane selects a span.
  await dragOver(page, [0.25, 0.18], [0.5, 0.18]);
  await page.keyboard.press('Control+x');
  const undo = (step: string) => page.getByRole('button', { name: `Undo ${step}`, exact: true });
  await undo('Cut vocals').waitFor();
  await page.getByRole('slider', { name: 'Pan of Drums' }).press('End');
  await undo('Set pan of drums to 100 right').waitFor();
  await untilSaved(page);
  await shoot('editor');
  await assertAccessible(page, 'editor');

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Export / });
  await dialog.waitFor();
  await assertAccessible(page, 'export of the editor');
  await shoot('editor-export');
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 120_000 }),
    dialog.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  assert.match(download.suggestedFilename(), /Small song.*\.wav$/);
  const { info, samples } = await decodeFile(await readFile(await download.path()));
  assert.deepEqual([info.codec, info.channels, info.bits_per_sample], ['wav', 2, 24]);
  // The clicks of the song are far above its chords, so the differences of neighbouring samples are those of the drums.
  const clicks = (channel: number): number => {
    const part = samples[channel]?.subarray(0, 2 * info.sample_rate) ?? new Float32Array(1);
    return Math.sqrt(
      part.reduce((sum, sample, n) => sum + (sample - (part[n - 1] ?? 0)) ** 2, 0) / part.length,
    );
  };
  assert.equal(samples[0]?.length, 12 * info.sample_rate);
  assert.ok(clicks(1) > 1.5 * clicks(0), `drums on the right: ${clicks(0)} and ${clicks(1)}`);

  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Undo Set pan of drums to 100 right', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Mute Bass', exact: true }).click();
  await other.getByRole('button', { name: 'Mute Bass', exact: true, pressed: true }).waitFor();
  await other.close();

  await page.reload();
  await undo('Mute bass').click();
  await undo('Set pan of drums to 100 right').click();
  await undo('Cut vocals').waitFor();
  assert.equal(await page.getByRole('slider', { name: 'Pan of Drums' }).getAttribute('aria-valuenow'), '0');
  await page.getByRole('button', { name: 'Redo Set pan of drums to 100 right', exact: true }).waitFor();
  await untilSaved(page);

  await shootSmaller({ page, shoot }, 'editor');
  await page.setViewportSize({ width: 1440, height: 900 });

  // A project archive becomes a new track, in the editor with its steps.
  const archive = await downloadProject({ page, shoot }, 'archive');
  assert.match(archive.name, /Small song.*project\)\.zip$/);
  const bytes = await readFile(archive.path);
  const first = page.url();
  const file = { name: 'Small song.zip', mimeType: 'application/zip', buffer: bytes };
  await page.getByLabel('Project archive').setInputFiles(file);
  await page.waitForURL((address) => address.href !== first);
  await undo('Cut vocals').waitFor();
  await page.getByRole('button', { name: 'Redo Set pan of drums to 100 right', exact: true }).waitFor();
  await page.getByRole('group', { name: 'Vocals' }).waitFor();
  await shoot('editor-opened-archive');
  await page.getByRole('link', { name: 'Library', exact: true }).click();
  const damaged = { ...file, name: 'Damaged.zip', buffer: bytes.subarray(0, bytes.length / 2) };
  await page.getByLabel('Audio files').setInputFiles([damaged, file]);
  await page.getByText(/must be a complete ZIP file/).waitFor();
  await shoot('library-archives');
  await page.getByRole('button', { name: 'Open in editor' }).first().click();
  await undo('Cut vocals').waitFor();
});
