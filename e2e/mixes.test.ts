import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import type { Page } from 'playwright-core';
import { openSmallSong } from './small-song-page.ts';
import { until } from './until.ts';

/** Time limit for a separation, in ms; only a hanging one reaches it. */
const separationLimitMs = 300_000;

/** Downloads a file through a menu and decodes its samples to 16-bit integers. */
async function saved(page: Page, menu: string, label: string) {
  await page.getByRole('button', { name: menu, exact: true }).click();
  const item = page.getByRole('menuitem', { name: label, exact: true });
  const [download] = await Promise.all([page.waitForEvent('download'), item.click()]);
  const { samples } = await decodeFile(readFileSync(await download.path()));
  const integers = samples.map((side) => Int32Array.from(side, (sample) => Math.round(sample * 32_768)));
  return { name: download.suggestedFilename(), sides: integers };
}

test('mixes without a stem download with one click and equal the sum of their stems', async (t) => {
  const { page, shoot } = await openSmallSong(t, 12, { AUTO_ANALYZE: 'off' });
  await page.getByRole('group', { name: 'Vocals' }).waitFor({ timeout: separationLimitMs });
  const names = ['Vocals', 'Drums', 'Bass', 'Other'];
  const stems = new Map<string, Int32Array[]>();
  for (const name of names) stems.set(name, (await saved(page, `Download ${name}`, `${name} as WAV`)).sides);
  const sumOf = (parts: readonly string[], side: number): Int32Array => {
    const all = parts.map((name) => stems.get(name)?.[side] ?? new Int32Array());
    return Int32Array.from(all[0] ?? [], (_, at) =>
      all.reduce((sum, samples) => sum + (samples[at] ?? 0), 0),
    );
  };

  for (const [menu, label, parts, file] of [
    [
      'Download stems or analysis',
      'Karaoke (no vocals), WAV',
      ['Drums', 'Bass', 'Other'],
      'Small song (no vocals).wav',
    ],
    ['Download Drums', 'Without Drums, WAV', ['Vocals', 'Bass', 'Other'], 'Small song (no drums).wav'],
  ] as const) {
    const mix = await saved(page, menu, label);
    assert.equal(mix.name, file);
    assert.equal(mix.sides.length, 2);
    for (const [side, samples] of mix.sides.entries()) {
      assert.equal(samples.length, 12 * 44_100);
      assert.deepEqual(samples, sumOf(parts, side), `${label}, side ${side}`);
    }
  }

  for (const [name, size] of [
    ['desktop', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    await page.setViewportSize(size);
    const button = page.getByRole('button', { name: 'Download Vocals', exact: true });
    await button.click();
    const item = page.getByRole('menuitem', { name: 'Without Vocals, MP3' });
    await item.waitFor();
    await until(
      `the choice on a ${name} of ${size.width} × ${size.height}`,
      () => item.boundingBox(),
      (box) =>
        box !== null &&
        box.x >= 0 &&
        box.y >= 0 &&
        box.x + box.width <= size.width &&
        box.y + box.height <= size.height,
    );
    await shoot(`mixes-${name}`);
    await page.keyboard.press('Escape');
    await item.waitFor({ state: 'hidden' });
  }
});
