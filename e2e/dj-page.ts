import type { Locator, Page } from 'playwright-core';
import { until, untilEqual } from './until.ts';

/** Level of the page's audio output over a short window. */
export interface MixLevel {
  /** Root mean square of the full band. */
  level: number;
  /** Root mean square below 120 Hz. */
  low: number;
}

/** Connects an analyser to the audio output of the page. Runs in the page, before its own scripts. */
export function tapMix(): void {
  // oxlint-disable-next-line typescript/unbound-method -- always called with a node as `this`
  const connect = AudioNode.prototype.connect as (this: AudioNode, ...to: unknown[]) => AudioNode;
  const tapped = function (this: AudioNode, ...to: unknown[]): AudioNode {
    if (to[0] instanceof AudioDestinationNode) {
      const tap = ((globalThis as { tap?: AnalyserNode }).tap ??= new AnalyserNode(to[0].context, {
        fftSize: 32_768,
      }));
      connect.call(this, tap);
    }
    return connect.call(this, ...to);
  };
  AudioNode.prototype.connect = tapped;
}

/** Returns the level of the last 0.75 s of output, which may not yet include a change just made. */
export async function measureMix(page: Page): Promise<MixLevel> {
  return page.evaluate(() => {
    const { tap } = globalThis as unknown as { tap?: AnalyserNode };
    if (!tap) return { level: 0, low: 0 };
    const samples = new Float32Array(tap.fftSize);
    tap.getFloatTimeDomainData(samples);
    const pole = Math.exp((-2 * Math.PI * 120) / tap.context.sampleRate);
    let sum = 0;
    let lowSum = 0;
    const stages = [0, 0, 0, 0];
    for (const sample of samples) {
      let low = sample;
      for (const [stage, value] of stages.entries()) {
        low = value * pole + low * (1 - pole);
        stages[stage] = low;
      }
      sum += sample * sample;
      lowSum += low * low;
    }
    return { level: Math.sqrt(sum / samples.length), low: Math.sqrt(lowSum / samples.length) };
  });
}

/** Waits until the level of the output satisfies `holds`, and returns it. */
export async function untilMix(
  page: Page,
  what: string,
  holds: (measured: MixLevel) => boolean,
): Promise<MixLevel> {
  return until(what, () => measureMix(page), holds);
}

/** Returns the region of one deck. */
export function deckOf(page: Page, letter: 'A' | 'B'): Locator {
  return page.getByRole('region', { name: `Deck ${letter}`, exact: true });
}

/** Returns the position of a deck in seconds of its song, read from its timecode. */
export async function timeOf(page: Page, letter: 'A' | 'B'): Promise<number> {
  // The timecode is updated in each animation frame, so two frames must pass after a change.
  await page.evaluate(
    () => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))),
  );
  const timecode = deckOf(page, letter).getByTitle('Hours, minutes, seconds, frames');
  return secondsOf(await timecode.filter({ hasText: /\d\d:\d\d/ }).innerText());
}

/** Converts a timecode at 30 frames per second to seconds. */
export function secondsOf(timecode: string): number {
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = timecode.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds + frames / 30;
}

/** Waits until the position of a deck, in seconds of its song, satisfies `holds`, and returns it. */
export async function untilTime(
  page: Page,
  letter: 'A' | 'B',
  holds: (seconds: number) => boolean,
): Promise<number> {
  return until(`seconds that deck ${letter} is at`, () => timeOf(page, letter), holds);
}

/**
 * Returns a text or attribute once it has not changed for ten animation frames, so earlier changes have been drawn.
 */
async function settledIn(part: Locator, attribute: string | null): Promise<string> {
  return part.evaluate(async (element, name) => {
    const read = () => (name === null ? element.textContent : element.getAttribute(name)) ?? '';
    let current = read();
    const limitMs = performance.now() + 60_000;
    for (let unchangedFrames = 0; unchangedFrames < 10; unchangedFrames++) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      if (read() === current) continue;
      current = read();
      unchangedFrames = -1;
      if (performance.now() > limitMs) throw new Error(`it keeps changing; last: ${current}`);
    }
    return current;
  }, attribute);
}

/** Returns the position of a paused deck in seconds of its song, once it has settled. */
export async function restOf(page: Page, letter: 'A' | 'B'): Promise<number> {
  await settledIn(deckOf(page, letter).getByTitle('Hours, minutes, seconds, frames'), null);
  return timeOf(page, letter);
}

/** Returns the current tempo of a deck in beats per minute. */
export async function bpmOf(page: Page, letter: 'A' | 'B'): Promise<number> {
  return Number(await deckOf(page, letter).locator('[data-bpm]').innerText());
}

/** Loads the track of a library row on a deck by keyboard. */
export async function loadRow(row: Locator, letter: 'A' | 'B'): Promise<void> {
  await row.focus();
  await row.press(letter === 'A' ? 'Shift+ArrowLeft' : 'Shift+ArrowRight');
}

/** Returns the HTML of visible controls without an accessible name, cut to 120 characters each. */
export async function namelessControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, a, select, input, [role="slider"], [role="button"]')]
      // The component library keeps the value of a select in an input that only forms see.
      .filter((element) => element.checkVisibility() && !element.closest('[aria-hidden="true"]'))
      .filter((element) => {
        const label = element.getAttribute('aria-label') ?? element.getAttribute('title') ?? '';
        const labels = element instanceof HTMLInputElement ? (element.labels?.length ?? 0) : 0;
        return label.trim() === '' && (element.textContent ?? '').trim() === '' && labels === 0;
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

/** Returns a button by its full accessible name. */
export function controlOf(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** Sets a toggle button to the wanted state and waits until it shows that state. */
export async function switchTo(page: Page, name: string, isOn: boolean): Promise<void> {
  const button = controlOf(page, name);
  if ((await button.getAttribute('aria-pressed')) !== String(isOn)) await button.click();
  await untilPressed(page, name, isOn);
}

/** Waits until a toggle button is on or off. */
export async function untilPressed(page: Page, name: string, isOn: boolean): Promise<void> {
  const button = controlOf(page, name);
  await untilEqual(`${name} is pressed`, () => button.getAttribute('aria-pressed'), String(isOn));
}

/** Opens the settings of the decks, if they are not open: outputs, metronome, curve of the crossfader. */
export async function openSettings(page: Page): Promise<void> {
  const settings = page.getByRole('dialog', { name: 'Deck settings' });
  if (await settings.isVisible()) return;
  await controlOf(page, 'Settings').click();
  await settings.waitFor();
}

/** Starts or pauses a deck and waits until it has done so. */
export async function letPlay(page: Page, letter: 'A' | 'B', isPlaying: boolean): Promise<void> {
  const press = controlOf(page, `${isPlaying ? 'Play' : 'Pause'} deck ${letter}`);
  const done = controlOf(page, `${isPlaying ? 'Pause' : 'Play'} deck ${letter}`);
  await press.or(done).waitFor();
  if (await press.isVisible()) await press.click();
  await done.waitFor();
}

/** Moves decks, playing or paused, a few bars into their songs, where all instruments play. */
export async function toStart(page: Page, ...letters: readonly ('A' | 'B')[]): Promise<void> {
  for (const letter of letters) {
    const position = sliderOf(page, `Position of deck ${letter}`);
    await position.press('Home');
    for (let press = 0; press < 4; press++) await position.press('ArrowRight');
  }
}

/** Plays decks from the position set by {@link toStart}; also restarts a song that has ended. */
export async function playFromStart(page: Page, ...letters: readonly ('A' | 'B')[]): Promise<void> {
  await toStart(page, ...letters);
  for (const letter of letters) await letPlay(page, letter, true);
}

/** Opens the list of recordings, in which the newest one has a link to save it. */
export async function openRecordings(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Recordings: [1-9]/ }).click();
  const link = page.getByRole('link', { name: 'Save WAV' });
  await link.waitFor();
  return link;
}

/** Returns a fader, knob or position slider by its full accessible name. */
export function sliderOf(page: Page, name: string): Locator {
  return page.getByRole('slider', { name, exact: true });
}

/** Returns the value of a fader or knob in its own unit. */
export async function valueOf(page: Page, name: string): Promise<number> {
  return Number(await sliderOf(page, name).getAttribute('aria-valuenow'));
}

/** Returns the value of a fader or knob in its own unit, once it has settled. */
export async function settledValue(page: Page, name: string): Promise<number> {
  return Number(await settledIn(sliderOf(page, name), 'aria-valuenow'));
}

/** Waits until a fader or knob has the expected value, within a tolerance. */
export async function untilValue(page: Page, name: string, value: number, within = 0.001): Promise<void> {
  await until(
    `${name} (wanted ${value})`,
    () => valueOf(page, name),
    (seen) => Math.abs(seen - value) <= within,
  );
}

/** Seeks a loaded deck to a whole second and waits until its position is there or, when playing, up to 15 s later. */
export async function seekDeck(page: Page, letter: 'A' | 'B', seconds: number): Promise<void> {
  const name = `Position of deck ${letter}`;
  const position = sliderOf(page, name);
  const length = await until(
    `seconds of the song on deck ${letter}`,
    async () => Number(await position.getAttribute('aria-valuemax')),
    (seen) => seen > 0,
  );
  const box = await position.boundingBox();
  if (!box) throw new Error(`deck ${letter} is not on the page`);
  await page.mouse.click(box.x + (box.width * seconds) / length, box.y + box.height / 2);
  await until(
    `${name} (wanted ${seconds})`,
    () => valueOf(page, name),
    (seen) => seen >= seconds - 1 && seen < seconds + 15,
  );
}

/** Returns the controls of the decks that are smaller than 44 × 44 CSS pixels, each with its size. */
export async function smallControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[aria-label="Decks"] :is(button, select, a, [role="slider"])')]
      .filter((element) => element.checkVisibility())
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ element, box }) => {
        const name = element.getAttribute('aria-label') ?? element.textContent;
        return `${name} ${box.width.toFixed(0)} × ${box.height.toFixed(0)}`;
      }),
  );
}

/** Returns whether nothing covers an element, tested at its centre and near both ends. */
export async function isUncovered(element: Locator): Promise<boolean> {
  return element.evaluate((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [0.05, 0.5, 0.95].every((share) => {
      const there = document.elementFromPoint(x + share * width, y + height / 2);
      return there !== null && (part.contains(there) || there.contains(part));
    });
  });
}
