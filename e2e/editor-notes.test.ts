import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { shootSmaller, untilSaved } from './editor-page.ts';
import { openSmallSong } from './small-song-page.ts';
import { until, untilEqual } from './until.ts';

/** Time limit for a separation, an analysis or a transcription, in ms; only a hanging one reaches it. */
const workLimitMs = 300_000;

/** Height of a row of the piano roll at first. */
const rowPx = 11;

/** Drags over the piano roll; x and y are parts of its width and height. */
async function dragNotes(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  const box = await page.locator('[data-roll-field]').boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height, { steps: 4 });
  await page.mouse.up();
}

/** @spec Notes of lanes @spec Edit operations */
test('transcribes a lane of the editor, draws and moves notes, and keeps them over a reload', async (t) => {
  const { page, shoot } = await openSmallSong(t, 12);
  await page.getByRole('button', { name: 'Open in editor' }).click({ timeout: workLimitMs });
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('group', { name: 'Vocals' }).waitFor();
  const undo = (step: string | RegExp) =>
    page.getByRole('button', { name: typeof step === 'string' ? `Undo ${step}` : step, exact: true });
  const openNotes = () => page.getByRole('button', { name: 'Notes of Bass', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Notes of Bass' });
  const roll = panel.getByRole('group', { name: 'Piano roll of Bass' });
  const status = panel.getByRole('status').first();

  await openNotes();
  await untilEqual('text of an empty roll', () => status.textContent(), 'No notes');
  await panel.getByRole('button', { name: 'Transcribe' }).click();
  await undo(/^Undo Set \d+ notes of bass$/).waitFor({ timeout: workLimitMs });
  const count = Number.parseInt((await status.textContent()) ?? '', 10);
  assert.ok(count > 3, `transcribed notes: ${count}`);
  t.diagnostic(`${count} notes`);
  await shoot('editor-notes');
  await assertAccessible(page, 'piano roll of the editor');

  await panel.getByRole('button', { name: 'Draw', exact: true }).click();
  await dragNotes(page, [0.3, 0.1], [0.4, 0.1]);
  await undo('Draw 1 note in bass').waitFor();
  await panel.getByRole('button', { name: 'Draw', exact: true }).click();
  const drawn = (await status.textContent()) ?? '';
  const [pitch] = drawn.split(',');
  assert.match(drawn, /^[A-G]#?\d, .*velocity 100/);
  await roll.press('ArrowUp');
  await undo('Transpose 1 note of bass').waitFor();
  await until(
    'another pitch',
    () => status.textContent(),
    (text) => text?.split(',')[0] !== pitch,
  );
  // One row above where it was drawn.
  const raised = 0.1 - rowPx / ((await roll.boundingBox())?.height ?? 0);
  await dragNotes(page, [0.35, raised], [0.55, raised]);
  await undo('Move 1 note of bass').waitFor();
  await roll.press('Alt+ArrowUp');
  await undo('Set velocity of 1 note of bass').waitFor();
  await roll.press('q');
  await page.keyboard.press('Control+z');
  await undo('Move 1 note of bass').waitFor();
  await roll.press('Control+a');
  await untilEqual('all notes', async () => (await status.textContent())?.split(' ')[0], String(count + 1));
  await shoot('editor-notes-selected');
  await panel.getByRole('button', { name: 'Play notes' }).click();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Pause (Space)' }).click();
  await untilSaved(page);

  await page.reload();
  await undo('Move 1 note of bass').waitFor();
  await openNotes();
  await untilEqual('notes after a reload', () => status.textContent(), `${count + 1} notes`);
  await shootSmaller({ page, shoot }, 'editor-notes');
});
