import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import type { Page } from 'playwright-core';
import { setTempo } from './player-page.ts';
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

/** Returns the level of samples in dB; −200 for silence. */
function levelDb(samples: Int32Array): number {
  const mean = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / samples.length;
  return mean === 0 ? -200 : 10 * Math.log10(mean);
}

/** Returns the level of what differs after the fade-in of playback, in dB. */
function differenceDb(a: Int32Array, b: Int32Array): number {
  const fadeIn = 441;
  return levelDb(a.subarray(fadeIn).map((sample, at) => sample - (b[at + fadeIn] ?? 0)));
}

test('mixes without a stem, and what the player plays, download and equal the sum of their stems', async (t) => {
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

  // What is played is exported: first without the vocals, then slower, lower and to the right as well.
  await page.getByRole('button', { name: 'Mute Vocals', exact: true }).click();
  const accompaniment = await saved(page, 'Export mix', 'Mix as WAV');
  const expected = [0, 1].map((side) => sumOf(['Drums', 'Bass', 'Other'], side));
  for (const [side, samples] of accompaniment.sides.entries()) {
    assert.equal(samples.length, 12 * 44_100);
    assert.ok(differenceDb(samples, expected[side] ?? new Int32Array()) < -80, `the mix, side ${side}`);
  }
  await setTempo(page, '90');
  for (let step = 0; step < 2; step++) await page.getByRole('button', { name: 'Key down' }).click();
  for (const name of ['Drums', 'Bass', 'Other'])
    await page.getByRole('slider', { name: `Pan of ${name}` }).press('End');
  const changed = await saved(page, 'Export mix', 'Mix as WAV');
  const [left, right] = changed.sides;
  assert.ok(left && right);
  assert.ok(Math.abs(right.length - (12 * 44_100) / 0.9) < 4410, `${right.length / 44_100} s`);
  assert.ok(levelDb(left) < levelDb(right) - 60, `left ${levelDb(left)} dB, right ${levelDb(right)} dB`);

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
