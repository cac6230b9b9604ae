import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import {
  controlOf,
  deckOf,
  letPlay,
  openRecordings,
  restOf,
  seekDeck,
  smallControls,
  untilPressed,
  untilTime,
} from './dj-page.ts';
import { layFingers } from './fingers.ts';
import { listenFor, untilLevel } from './output-analysers.ts';
import { aheadOfTime, loud, positionOf, type Stage, untilPlaysAt } from './stage.ts';
import { LADDER_HZ_A_SECOND } from './test-audio.ts';
import { until, untilEqual } from './until.ts';

/** Duration of a timecode frame in seconds. */
const frameSeconds = 1 / 30;

/** Number of samples used to estimate the frequency of the recorded tone. */
const LOOK = 8192;

/** Estimates the frequency of a tone in Hz from its zero crossings. */
function hzOf(samples: Float32Array, sampleRateHz: number): number {
  const crossings = Array.from(samples.keys()).filter(
    (n) => n > 0 && samples[n - 1]! < 0 && samples[n]! >= 0,
  );
  const [first = 0, last = 0] = [crossings[0], crossings.at(-1)];
  return last > first ? ((crossings.length - 1) / (last - first)) * sampleRateHz : 0;
}

/** Tests CUE, slip mode, the end-of-song warning and the recorder by their audio output. */
export async function playStage(t: TestContext, { page, shoot }: Stage): Promise<void> {
  const control = (name: string) => controlOf(page, name);
  const fingers = await layFingers(page);

  await t.test('CUE plays while it is held and returns to the cue point', async () => {
    await letPlay(page, 'A', false);
    await untilLevel(page, 'master', 0);
    await seekDeck(page, 'A', 12);
    // The first press sets the cue at the deck's position, quantised to the beat; later presses play from there.
    await control('Cue, deck A').tap();
    const cue = await restOf(page, 'A');
    await fingers.down(1, control('Cue, deck A'));
    await untilLevel(page, 'master', loud);
    const position = positionOf(await listenFor(page, 'master', 0.5));
    assert.ok(position > cue + 0.3, `${position} s is audible of a song that was cued at ${cue} s`);
    await fingers.up(1);
    await untilLevel(page, 'master', 0);
    await control('Play deck A').waitFor();
    await untilTime(page, 'A', (seconds) => Math.abs(seconds - cue) <= 2 * frameSeconds);
    // A touch cancelled by the system also releases the button.
    await fingers.down(1, control('Cue, deck A'));
    await untilLevel(page, 'master', loud);
    await fingers.cancel();
    await untilLevel(page, 'master', 0);
  });

  await t.test('after a loop in slip mode playback continues where it would have been', async () => {
    await seekDeck(page, 'A', 5);
    await letPlay(page, 'A', true);
    await untilPlaysAt(page, 5);
    const before = await listenFor(page, 'master', 0.6);
    await control('Slip, deck A').tap();
    await control('Half: Loop length, deck A').tap();
    await control('Half: Loop length, deck A').tap();
    await control('Loop 1 beats, deck A').tap();
    await untilPressed(page, 'Toggle loop, deck A', true);
    // The audio may reach the loop a moment after the button shows it.
    await until(
      'positions during two seconds, within a loop of half a second',
      async () => {
        const looped: number[] = [];
        for (let look = 0; look < 5; look++) looped.push(positionOf(await listenFor(page, 'master', 0.45)));
        return looped;
      },
      (looped) => Math.max(...looped) - Math.min(...looped) < 0.6,
    );
    await control('Toggle loop, deck A').tap();
    await untilPressed(page, 'Toggle loop, deck A', false);
    const off = await until(
      'seconds that the song is from where it would be',
      async () => aheadOfTime(before, await listenFor(page, 'master', 0.3)),
      (seconds) => Math.abs(seconds) < 0.03,
    );
    t.diagnostic(`after the loop the song is ${(off * 1000).toFixed(1)} ms from where it would be`);
    await control('Slip, deck A').tap();
    await control('Double: Loop length, deck A').tap();
    await control('Double: Loop length, deck A').tap();
  });

  await t.test('the end of a song is announced once and shown', async () => {
    await letPlay(page, 'A', false);
    // The deck was near its end before: playing to the end completes that earlier warning.
    await seekDeck(page, 'A', 39);
    await control('Play deck A').click();
    await deckOf(page, 'A').getByTitle('Time left at this tempo').filter({ hasText: '−0:00' }).waitFor();
    await letPlay(page, 'A', false);
    await page.locator('[data-endings]:empty').waitFor({ state: 'attached' });
    await seekDeck(page, 'A', 8);
    await page.locator('[data-deck="a"][data-ending="false"]').waitFor();
    await page.evaluate(() => {
      const announced: string[] = [];
      Object.assign(globalThis, { announced });
      const region = document.querySelector('[data-endings][aria-live="assertive"]');
      if (!region) throw new Error('nothing is announced anywhere');
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) announced.push(node.textContent ?? '');
      }).observe(region, { childList: true, subtree: true, characterData: true });
    });
    const announced = () => page.evaluate(() => (globalThis as unknown as { announced: string[] }).announced);
    const remaining = deckOf(page, 'A').getByTitle('Time left at this tempo');
    const colour = () => remaining.evaluate((element) => getComputedStyle(element).backgroundColor);
    const calm = await colour();
    assert.deepEqual(await announced(), []);
    await letPlay(page, 'A', true);
    await page.locator('[data-deck="a"][data-ending="30"]').waitFor();
    await until(`colour of the time left, which was ${calm}`, colour, (seen) => seen !== calm);
    await shoot('stage-ending');
    await untilEqual('what is announced', announced, ['Deck A ends within 30 seconds']);
    await listenFor(page, 'master', 2);
    assert.deepEqual(await announced(), ['Deck A ends within 30 seconds']);
    // The warning is visible on other pages too, but is not announced again.
    await page.getByRole('link', { name: 'Library', exact: true }).click();
    await page.getByText(/^Deck A ends in 0:\d\d/).waitFor();
    await shoot('stage-ending-library');
    await page.getByRole('button', { name: 'Show decks' }).click();
    await seekDeck(page, 'A', 2);
    await page.locator('[data-deck="a"][data-ending="false"]').waitFor();
    assert.equal((await announced()).length, 1);
  });

  await t.test('the mix is recorded to a WAV file that matches the audio output', async () => {
    await seekDeck(page, 'A', 2);
    await letPlay(page, 'A', true);
    await untilPlaysAt(page, 2);
    await control('Record the mix').tap();
    await control('Stop recording').waitFor();
    const first = await listenFor(page, 'master', 0.3);
    const last = await listenFor(page, 'master', 1.5);
    await control('Stop recording').tap();
    const saved = page.waitForEvent('download');
    await (await openRecordings(page)).click();
    const file = await saved;
    await page.keyboard.press('Escape');
    assert.equal(file.suggestedFilename(), 'stem-studio-mix.wav');
    const { info, samples } = await decodeFile(new Uint8Array(await readFile(await file.path())));
    const [left = new Float32Array(), right = new Float32Array()] = samples;
    const seconds = left.length / info.sample_rate;
    t.diagnostic(`${seconds.toFixed(2)} s were recorded`);
    assert.deepEqual(await smallControls(page), []);
    assert.ok(seconds >= last.atSeconds - first.atSeconds);
    // The recording starts before the first measurement, ends after the last one and has no gaps.
    const [begins, ends] = [left.subarray(0, LOOK), left.subarray(-LOOK)].map((part) =>
      hzOf(part, info.sample_rate),
    );
    const recorded = JSON.stringify({ begins, ends, first, last, seconds });
    assert.ok(begins! > 0 && begins! < first.hz + 1 && ends! > last.hz - 1, recorded);
    const passed = (ends! - begins!) / LADDER_HZ_A_SECOND;
    assert.ok(Math.abs(passed - (left.length - LOOK) / info.sample_rate) < 0.1, recorded);
    assert.ok(Math.max(...right.subarray(0, info.sample_rate)) > 0.1, 'the onsets are on the right');
  });
}
