import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { controlOf, letPlay, seekDeck, sliderOf, untilPressed } from './dj-page.ts';
import { captureSum, untilLevel } from './output-analysers.ts';
import { loud, type Stage, untilPlaysAt } from './stage.ts';
import { until } from './until.ts';

/** Window of the level in which an onset is found, in seconds. */
const WINDOW_SECONDS = 0.005;

/** Returns the distances between the onsets of the song in the last 0.75 s of the master, in seconds. */
async function onsetDistances(page: Page): Promise<number[]> {
  const { samples, sampleRateHz } = await captureSum(page);
  const length = Math.round(WINDOW_SECONDS * sampleRateHz);
  const levels = Array.from({ length: Math.floor(samples.length / length) }, (_, index) =>
    Math.sqrt(
      samples.slice(index * length, (index + 1) * length).reduce((sum, sample) => sum + sample * sample, 0) /
        length,
    ),
  );
  const onsets = levels.flatMap((level, index) => {
    const before = Math.max(...levels.slice(Math.max(0, index - 4), index), 0);
    return index >= 4 && level > 0.05 && level > 2 * before ? [index] : [];
  });
  // The windows of one attack follow each other.
  const starts = onsets.filter((at, index) => index === 0 || at - (onsets[index - 1] ?? 0) > 4);
  return starts.slice(1).map((at, index) => (at - (starts[index] ?? 0)) * WINDOW_SECONDS);
}

/** Waits until all onsets have the given distance. */
async function untilDistances(page: Page, seconds: number): Promise<void> {
  await until(
    `onsets ${seconds} s apart`,
    () => onsetDistances(page),
    (found) => found.length > 0 && found.every((second) => Math.abs(second - seconds) <= 2 * WINDOW_SECONDS),
  );
}

/** Tests an effect on deck A in the audio of the page: the song has an onset twice a second, one each beat. */
export async function testEffects(t: TestContext, { page, shoot }: Stage): Promise<void> {
  const echo = 'Effect 1, deck A: Echo';

  await t.test(
    'an echo repeats each onset half a beat later and rings out behind a closed fader',
    async () => {
      await sliderOf(page, 'Crossfader').press('Home');
      await letPlay(page, 'B', false);
      await seekDeck(page, 'A', 2);
      await letPlay(page, 'A', true);
      await untilPlaysAt(page, 2);
      await untilDistances(page, 0.5);
      await controlOf(page, echo).tap();
      await untilPressed(page, echo, true);
      await untilDistances(page, 0.25);
      await shoot('stage-effects');
      await sliderOf(page, 'Macro of Effect 1, deck A').press('End');
      await sliderOf(page, 'Volume of deck A').press('Home');
      const tail = await untilLevel(page, 'master', loud / 5);
      assert.ok(tail.level > 0);
      await page.keyboard.press('j');
      await untilPressed(page, echo, false);
      await untilLevel(page, 'master', 0);
      await sliderOf(page, 'Volume of deck A').press('End');
      await untilDistances(page, 0.5);
    },
  );

  await t.test('the settings of an effect open over the deck, and another type brings its own', async () => {
    await page.getByRole('button', { name: 'Settings of Effect 1, deck A' }).tap();
    const details = page.getByRole('dialog', { name: 'Effect 1, deck A' });
    await details.getByRole('button', { name: 'Gate', exact: true }).tap();
    await details.getByRole('slider', { name: 'Open of Effect 1, deck A' }).waitFor();
    await details.getByRole('button', { name: '1/8 beat', exact: true }).tap();
    await shoot('stage-effect-settings');
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'hidden' });
    await controlOf(page, 'Effect 1, deck A: Gate').waitFor();
  });
}
