import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { phone, visit } from './browser.ts';
import { trackRow, uploadSong } from './library-page.ts';
import { setUp } from './people.ts';
import { songPosition } from './player-page.ts';
import { startStudio } from './studio.ts';
import { swellingTone } from './test-audio.ts';
import { until, untilEqual } from './until.ts';

/** Time limit for a separation, in ms; only a hanging one reaches it. */
const separationLimitMs = 300_000;
const songSeconds = 20;
const rateHz = 44_100;
/** Largest step from one sample of the tone to the next: 440 Hz at its peak of 0.7. */
const toneStep = (0.7 * 2 * Math.PI * 440) / rateHz;

/** Connects an analyser to the audio output of the page. Runs in the page, before its own scripts. */
function tapOutput(): void {
  // oxlint-disable-next-line typescript/unbound-method -- always called with a node as `this`
  const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode;
  const tapped = function (this: AudioNode, to: AudioNode): AudioNode {
    if (to instanceof AudioDestinationNode) {
      const tap = ((globalThis as { tap?: AnalyserNode }).tap ??= new AnalyserNode(to.context, {
        fftSize: 32_768,
      }));
      connect.call(this, tap);
    }
    return connect.call(this, to);
  };
  AudioNode.prototype.connect = tapped as typeof AudioNode.prototype.connect;
}

/** Returns the last 0.74 s of the output, the left channel. */
const samplesNow = (page: Page) =>
  page.evaluate(() => {
    const { tap } = globalThis as unknown as { tap: AnalyserNode };
    const samples = new Float32Array(tap.fftSize);
    tap.getFloatTimeDomainData(samples);
    return [...samples];
  });

/** Returns the largest step between two samples, and the smallest peak of any 5 ms: the tone's is at least 0.1. */
function smoothnessOf(samples: readonly number[]): { step: number; quietest: number } {
  let step = 0;
  for (let n = 1; n < samples.length; n++)
    step = Math.max(step, Math.abs((samples[n] ?? 0) - (samples[n - 1] ?? 0)));
  let quietest = 1;
  for (let at = 0; at + 220 <= samples.length; at += 220)
    quietest = Math.min(quietest, Math.max(...samples.slice(at, at + 220).map(Math.abs)));
  return { step, quietest };
}

test('separations of several models are compared, kept and deleted on the track page', async (t) => {
  const studio = await startStudio(t, { AUTO_ANALYZE: 'off' });
  const { page, shoot } = await visit(t, studio);
  await page.addInitScript(tapOutput);
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import demo album' }).waitFor();
  await uploadSong(page, 'Tone', swellingTone(songSeconds));
  await trackRow(page, 'Tone').getByText(/^Tone/).click();
  await page.getByRole('group', { name: 'Vocals' }).waitFor({ timeout: separationLimitMs });
  const bar = page.getByRole('group', { name: 'Compare separations' });
  assert.equal(await bar.count(), 0);
  await page.getByRole('button', { name: 'New separation' }).click();
  await page.getByRole('radio', { name: 'Six stems' }).check();
  await page.getByRole('button', { name: 'Separate', exact: true }).click();
  const first = bar.getByRole('button', { name: 'A Fast', exact: true });
  const second = bar.getByRole('button', { name: 'B Six stems', exact: true });
  await second.waitFor({ timeout: separationLimitMs });
  const isPressed = (name: string) => async () =>
    bar.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');
  await untilEqual('the newest separation is selected', isPressed('B Six stems'), 'true');
  const rows = page.locator('[role="group"][data-row]');
  await untilEqual('rows of the player', () => rows.count(), 6);

  await t.test('switches while it plays, by key and button, without a step in the audio', async () => {
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    await page.keyboard.press('Space');
    await until(
      'seconds played',
      () => songPosition(page),
      (seconds) => seconds >= 1,
    );
    for (const [press, count, name] of [
      [() => page.keyboard.press('x'), 4, 'A Fast'],
      [() => page.keyboard.press('Shift+X'), 6, 'B Six stems'],
      [() => first.click(), 4, 'A Fast'],
      [() => second.click(), 6, 'B Six stems'],
    ] as const) {
      const before = await songPosition(page);
      await press();
      // The rows change when the other separation has become audible.
      await untilEqual('rows of the player', () => rows.count(), count);
      const { step, quietest } = smoothnessOf(await samplesNow(page));
      assert.ok(step <= 1.1 * toneStep, `${name}: step ${step}, of the tone ${toneStep}`);
      assert.ok(quietest > 0.05, `${name}: quietest 5 ms ${quietest}`);
      assert.equal(await isPressed(name)(), 'true');
      assert.ok((await songPosition(page)) >= before);
      await page.getByRole('button', { name: 'Pause (Space)' }).waitFor();
    }
    await page.keyboard.press('Space');
    await shoot('compare');
    await assertAccessible(page, 'two separations compared');
  });

  await t.test('keeps mute and solo of a stem across separations', async () => {
    await page.getByRole('button', { name: 'Solo Vocals' }).click();
    // Space plays after a click, and does not press the button again.
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause (Space)' }).waitFor();
    await page.getByRole('button', { name: 'Solo Vocals', pressed: true }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor();
    await page.keyboard.press('x');
    await untilEqual('rows of the player', () => rows.count(), 4);
    await page.getByRole('button', { name: 'Solo Vocals', pressed: true }).click();
  });

  await t.test('shows what made each, how long it took and its size, and sets the default', async () => {
    const section = page.getByRole('region', { name: 'Separations' });
    await section.scrollIntoViewIfNeeded();
    const items = section.getByRole('listitem');
    for (const [index, model, stems] of [
      [0, 'Fast\\s[^]*hybrid_4', 4],
      [1, 'Six stems\\s[^]*hybrid_6', 6],
    ] as const) {
      const text = await items.nth(index).innerText();
      assert.match(text, new RegExp(`${model}\\b`));
      assert.match(text, /This studio, .+ · \d{1,2} \w+ \d{4}/);
      assert.match(text, new RegExp(`${stems} stems · took [\\d.]+ (s|min)[^·]* · [\\d.]+ MB`));
    }
    await section.getByRole('button', { name: 'Use Fast by default' }).click();
    await items.nth(0).getByText('Default', { exact: true }).waitFor();
    await section.getByRole('button', { name: 'Use Six stems by default' }).waitFor();
    await shoot('compare-separations');
    await page.setViewportSize(phone);
    await section.scrollIntoViewIfNeeded();
    await shoot('compare-separations-phone');
    await bar.scrollIntoViewIfNeeded();
    await until(
      'box of the comparison on a phone',
      () => second.boundingBox(),
      (box) => box !== null && box.x >= 0 && box.x + box.width <= phone.width,
    );
    await shoot('compare-phone');
    await assertAccessible(page, 'separations on a phone');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await t.test('deletes one after confirmation; the player goes on with the default', async () => {
    await page.keyboard.press('x');
    await untilEqual('rows of the player', () => rows.count(), 6);
    await page.getByRole('button', { name: 'Delete Six stems' }).click();
    const question = page.getByRole('dialog', { name: /Delete the stems of Six stems/ });
    await question.getByText(/This frees [\d.]+ MB/).waitFor();
    await shoot('compare-delete');
    await assertAccessible(page, 'a separation about to be deleted');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    assert.equal(await bar.count(), 1);
    await page.getByRole('button', { name: 'Delete Six stems' }).click();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(/MB freed/).waitFor();
    await bar.waitFor({ state: 'hidden' });
    await untilEqual('rows of the player', () => rows.count(), 4);
    await page.getByRole('group', { name: 'Vocals' }).waitFor();
  });
});
