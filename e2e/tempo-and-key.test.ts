import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { phone, visit } from './browser.ts';
import { trackRow, uploadSong } from './library-page.ts';
import { setUp } from './people.ts';
import { setTempo } from './player-page.ts';
import { startStudio } from './studio.ts';
import { swellingTone } from './test-audio.ts';
import { until } from './until.ts';

/** Time limit for a separation, in ms; only a hanging one reaches it. */
const separationLimitMs = 300_000;
const songSeconds = 30;
const rateHz = 44_100;

/** Audio output of the page and the playhead at one moment. */
interface Measurement {
  /** Time at the middle of the samples on the audio clock, in seconds. */
  at: number;
  samples: number[];
  /** Position of the playhead at the last sample, in seconds of the song. */
  position: number;
}

/** Number of comparisons of playhead and audio: on a busy machine time may pass between the two readings. */
const looks = 5;

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

async function listen(page: Page): Promise<Measurement> {
  return page.evaluate(
    async ({ seconds, hz }) => {
      // Waits for the page's animation frame, so that playhead and audio are read at the same moment.
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const { tap } = globalThis as unknown as { tap: AnalyserNode };
      const samples = new Float32Array(tap.fftSize);
      tap.getFloatTimeDomainData(samples);
      const timeline = document.querySelector<HTMLElement>('[aria-label="Song position"]');
      const head = timeline?.lastElementChild as HTMLElement;
      const px = Number(/translateX\(([\d.]+)px/.exec(head.style.transform)?.[1]);
      return {
        at: tap.context.currentTime - samples.length / 2 / hz,
        samples: [...samples],
        position: (px / (timeline?.clientWidth ?? 1)) * seconds,
      };
    },
    { seconds: songSeconds, hz: rateHz },
  );
}

/** Returns the magnitude of one frequency in the samples, under a Hann window. */
function strength(samples: readonly number[], hz: number): number {
  let re = 0;
  let im = 0;
  for (const [index, sample] of samples.entries()) {
    const windowed = sample * (1 - Math.cos((2 * Math.PI * index) / samples.length));
    re += windowed * Math.cos((2 * Math.PI * hz * index) / rateHz);
    im += windowed * Math.sin((2 * Math.PI * hz * index) / rateHz);
  }
  return Math.hypot(re, im) / samples.length;
}

/** Estimates the pitch of the tone in cents above 440 Hz, searching around the expected pitch. */
function centsOf({ samples }: Measurement, expected: number): number {
  const at = (cents: number) => strength(samples, 440 * 2 ** (cents / 1200));
  const around = Array.from({ length: 25 }, (_, step) => expected + (step - 12) * 10);
  let best = around.toSorted((a, b) => at(b) - at(a))[0] ?? expected;
  for (let step = 5; step > 0.05; step /= 2)
    best = [best - step, best, best + step].toSorted((a, b) => at(b) - at(a))[0] ?? best;
  return best;
}

/** Estimates the fraction of the second at the middle of the samples, 0 to 1, from the tone's level. */
function swellOf({ samples }: Measurement, hz: number, rate: number): number {
  const size = 2048;
  const count = samples.length / size;
  // Fits A + B cos + C sin to the levels by iterative least squares.
  const levels = Array.from({ length: count }, (_, at) => ({
    angle: (2 * Math.PI * rate * ((at + 0.5) * size - samples.length / 2)) / rateHz,
    level: strength(samples.slice(at * size, (at + 1) * size), hz),
  }));
  let [mean, cosine, sine] = [0, 0, 0];
  for (let step = 0; step < 500; step++) {
    let [dMean, dCosine, dSine] = [0, 0, 0];
    for (const { angle, level } of levels) {
      const rest = level - mean - cosine * Math.cos(angle) - sine * Math.sin(angle);
      dMean += rest / count;
      dCosine += (rest * Math.cos(angle)) / count;
      dSine += (rest * Math.sin(angle)) / count;
    }
    mean += dMean / 2;
    cosine += dCosine;
    sine += dSine;
  }
  const cycles = Math.atan2(-sine, cosine) / (2 * Math.PI);
  return cycles - Math.floor(cycles);
}

test('tempo and key change independently', async (t) => {
  const studio = await startStudio(t, { AUTO_ANALYZE: 'off' });
  // The playhead is compared with the audio in single frames.
  const { page, shoot } = await visit(t, studio, { frameRateHz: null });
  await page.addInitScript(tapOutput);
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import demo album' }).waitFor();
  await uploadSong(page, 'Tone', swellingTone(songSeconds));
  await trackRow(page, 'Tone').getByText(/^Tone/).click();
  await page.getByRole('group', { name: 'Vocals' }).waitFor({ timeout: separationLimitMs });
  // The rows are shown before the player is connected to the output.
  await page.waitForFunction(() => 'tap' in globalThis);
  const tempo = page.getByRole('textbox', { name: 'Playback tempo in percent' });
  const resetTempo = (percent: string) => page.getByRole('button', { name: `${percent}, reset tempo` });
  const resetKey = (semitones: string) => page.getByRole('button', { name: `${semitones}, reset key` });

  /** Plays from the start and measures the output twice; `rate` and `cents` are the expected values. */
  const measure = async (rate: number, cents: number) => {
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    const listenFrom = (position: number) =>
      until(
        `seconds of the song, of which at least ${position} are over`,
        () => listen(page),
        (measured) => measured.position >= position,
      );
    // From here on all samples belong to the song.
    const first = await listenFrom(1.5 * rate);
    const later = [await listenFrom(first.position + 2 * rate)];
    while (later.length < looks) later.push(await listen(page));
    await page.keyboard.press('Space');
    const second = later.at(-1) ?? first;
    const hz = 440 * 2 ** (cents / 1200);
    const seconds = second.at - first.at;
    const more = swellOf(second, hz, rate) - swellOf(first, hz, rate);
    const passed = more + Math.round(rate * seconds - more);
    const aheads = later.map((one) => {
      // The playhead refers to the last sample, the level to the middle one.
      const ahead = one.position - (rate * one.samples.length) / 2 / rateHz - swellOf(one, hz, rate);
      return ahead - Math.round(ahead);
    });
    const ahead = aheads.toSorted((a, b) => a - b)[looks >> 1] ?? Number.NaN;
    return { cents: centsOf(second, cents), rate: passed / seconds, ahead };
  };
  await page.locator('body').click({ position: { x: 2, y: 2 } });
  const recorded = await measure(1, 0);
  t.diagnostic(`recorded ${JSON.stringify(recorded)}`);
  assert.ok(Math.abs(recorded.cents) < 0.5, `${recorded.cents} cents`);
  assert.ok(Math.abs(recorded.rate - 1) < 0.005, `${recorded.rate}`);

  await t.test(
    'at 80 % tempo the song takes 25 % longer at the same pitch, and the playhead is correct',
    async () => {
      await setTempo(page, '80');
      await resetTempo('80 %').waitFor();
      const slow = await measure(0.8, 0);
      t.diagnostic(`80 % ${JSON.stringify(slow)}`);
      assert.ok(Math.abs(slow.cents) < 3, `${slow.cents} cents`);
      assert.ok(Math.abs(1 / slow.rate - 1.25) < 0.0125, `${1 / slow.rate} times as long`);
      assert.ok(Math.abs(slow.ahead - recorded.ahead) < 0.06, `${slow.ahead} s ahead`);
      await shoot('tempo-and-key');
      await resetTempo('80 %').click();
      await resetTempo('100 %').waitFor();
    },
  );

  await t.test('two semitones up raise the pitch by 200 cents at the same tempo', async () => {
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await resetKey('+2').waitFor();
    const high = await measure(1, 200);
    t.diagnostic(`+2 ${JSON.stringify(high)}`);
    assert.ok(Math.abs(high.cents - 200) < 3, `${high.cents} cents`);
    assert.ok(Math.abs(high.rate - 1) < 0.01, `${high.rate}`);
    await resetKey('+2').click();
    await resetKey('0').waitFor();
  });

  await t.test('tempo and key fit a phone screen', async () => {
    await page.setViewportSize(phone);
    await tempo.scrollIntoViewIfNeeded();
    for (const name of ['Tempo', 'Key'])
      await until(
        'box of a control on a phone',
        () => page.getByRole('group', { name, exact: true }).boundingBox(),
        (box) => box !== null && box.x >= 0 && box.x + box.width <= phone.width && box.width > 60,
      );
    await shoot('tempo-and-key-phone');
  });
});
