import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { downloadProject, shootSmaller } from './editor-page.ts';
import { tapOutputs, untilLevel } from './output-analysers.ts';
import { openSmallSong } from './small-song-page.ts';
import { until } from './until.ts';

/** Time limit for a separation and an analysis, in ms; only a hanging one reaches it. */
const workLimitMs = 300_000;

const undo = (page: Page, step: string) =>
  page.getByRole('button', { name: `Undo ${step}`, exact: true }).waitFor();

/** Clicks the timeline of the lanes; x and y are parts of its width and height. */
async function clickAt(page: Page, x: number, y: number, button: 'left' | 'right' = 'left') {
  const field = page.getByRole('group', { name: 'Clips' });
  const box = await field.boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + x * box.width, box.y + y * box.height, { button });
}

/** @spec Warping @spec Lane effects @spec Edit operations */
test('transposes, warps, reverses and fades clips, and sets the effects of a lane', async (t) => {
  const { page, shoot } = await openSmallSong(t, 12);
  await page.addInitScript(tapOutputs);
  await page.reload();
  await page.getByRole('button', { name: 'Open in editor' }).click({ timeout: workLimitMs });
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('group', { name: 'Vocals' }).waitFor();

  // The name bar of the second lane selects its clip.
  const bar = 0.25 + 8 / 400;
  await clickAt(page, 0.5, bar);
  const selection = page.getByRole('group', { name: 'Selection' });
  await selection.getByText('1 clip').waitFor();
  const number = async (name: string, value: string) => {
    await selection.getByRole('textbox', { name }).fill(value);
    await page.keyboard.press('Enter');
  };
  await number('Transposition of the selection', '-2');
  await undo(page, 'Transpose clip to −2 semitones');
  await number('Volume of the selection', '150');
  await undo(page, 'Set volume of clip to 150 %');

  // With Ctrl, a drag inside a clip moves the onset under the pointer.
  const box = await page.getByRole('group', { name: 'Clips' }).boundingBox();
  assert.ok(box);
  await page.keyboard.down('Control');
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 0.4 * box.height);
  await shoot('editor-onset');
  await page.mouse.down();
  await page.mouse.move(box.x + 0.43 * box.width, box.y + 0.4 * box.height, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Control');
  await undo(page, 'Warp clip');
  await shoot('editor-warped');
  await page.keyboard.press('Control+z');
  await undo(page, 'Set volume of clip to 150 %');

  await clickAt(page, 0.5, bar, 'right');
  const menu = page.getByRole('menu', { name: 'Selection' });
  await menu.waitFor();
  await shoot('editor-menu');
  await menu.getByRole('menuitem', { name: 'Reverse' }).click();
  await undo(page, 'Reverse clip');
  await clickAt(page, 0.5, bar, 'right');
  await menu.getByRole('menuitem', { name: 'Fade out' }).click();
  await page.getByRole('menuitem', { name: 'S-curve' }).click();
  await undo(page, 'Fade out clip');
  // The menu of the keyboard is for what is selected.
  await page.getByRole('group', { name: 'Clips' }).press('Shift+F10');
  await menu.getByRole('menuitem', { name: /^Duplicate/ }).press('Escape');
  await menu.waitFor({ state: 'hidden' });

  await selection.getByRole('button', { name: 'Warp…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Warp' });
  await until(
    'the tempo of the beats',
    () => dialog.getByLabel('Tempo in BPM').inputValue(),
    (value) => Number(value) > 40,
  );
  await dialog.getByLabel('Tempo in BPM').fill('100');
  await assertAccessible(page, 'warp dialog of the editor');
  await dialog.getByRole('button', { name: 'Warp' }).click();
  await undo(page, 'Warp clip');

  await page.getByRole('button', { name: 'FX of Vocals' }).click();
  const effects = page.getByRole('dialog', { name: 'Effects of Vocals' });
  await effects.getByRole('slider', { name: 'Low of Vocals' }).press('Home');
  await undo(page, 'Set EQ of vocals');
  await effects.getByRole('checkbox', { name: 'Compressor' }).check();
  await undo(page, 'Set compressor of vocals');
  await effects.getByRole('slider', { name: 'Reverb send of Vocals' }).press('End');
  await undo(page, 'Set reverb send of vocals to 100 %');
  await assertAccessible(page, 'effects of a lane');
  await shoot('editor-effects');
  await page.keyboard.press('Escape');

  // The dialog lists what the other program does not get.
  const daw = await downloadProject({ page, shoot }, 'DAWproject');
  assert.match(daw.name, /Small song.*\.dawproject$/);

  await page.getByRole('button', { name: 'Play (Space)' }).click();
  await untilLevel(page, 'master', 0.02);
  await until(
    'a loudness',
    () => page.locator('[data-loudness]').textContent(),
    (text) => /^−\d/.test(text ?? ''),
  );
  await shoot('editor-effects');
  await shootSmaller({ page, shoot }, 'editor-effects');
});
