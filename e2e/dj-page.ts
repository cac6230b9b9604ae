import type { Locator, Page } from 'playwright-core';
import { until, untilEqual } from './until.ts';

/** What left the page during a while. */
export interface MixHeard {
  /** Root mean square of everything. */
  level: number;
  /** The same below 120 Hz. */
  low: number;
}

/** Lets an analyser hear whatever the page sends to its output. Runs in the page, before its own scripts. */
export function tapMix(): void {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the node that it is of
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

/** The last three quarters of a second that left the page; a change just made may not be in them yet. */
export async function hearMix(page: Page): Promise<MixHeard> {
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

/** Listens until what left the page sounds as it should, and answers it. */
export async function untilMix(
  page: Page,
  what: string,
  holds: (heard: MixHeard) => boolean,
): Promise<MixHeard> {
  return until(what, () => hearMix(page), holds);
}

/** One deck of the page. */
export function deckOf(page: Page, letter: 'A' | 'B'): Locator {
  return page.getByRole('region', { name: `Deck ${letter}`, exact: true });
}

/** Where a deck is, in seconds of its song, as its timecode says it. */
export async function timeOf(page: Page, letter: 'A' | 'B'): Promise<number> {
  // It is written with every picture: the first one after the page has changed may be yet to come.
  await page.evaluate(
    () => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))),
  );
  const timecode = deckOf(page, letter).getByTitle('Hours, minutes, seconds, frames');
  return secondsOf(await timecode.filter({ hasText: /\d\d:\d\d/ }).innerText());
}

/** The seconds that a timecode says. */
export function secondsOf(timecode: string): number {
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = timecode.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds + frames / 30;
}

/** Waits until a deck is at a place, in seconds of its song, that `holds`; answers it. */
export async function untilTime(
  page: Page,
  letter: 'A' | 'B',
  holds: (seconds: number) => boolean,
): Promise<number> {
  return until(`seconds that deck ${letter} is at`, () => timeOf(page, letter), holds);
}

/** What a part of the page says once ten pictures in a row agree: what was done to it before has been drawn. */
async function settledIn(part: Locator, attribute: string | null): Promise<string> {
  return part.evaluate(async (element, name) => {
    const read = () => (name === null ? element.textContent : element.getAttribute(name)) ?? '';
    let said = read();
    const limitMs = performance.now() + 60_000;
    for (let pictures = 0; pictures < 10; pictures++) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      if (read() === said) continue;
      said = read();
      pictures = -1;
      if (performance.now() > limitMs) throw new Error(`it does not come to rest, and said last: ${said}`);
    }
    return said;
  }, attribute);
}

/** Where a deck that stands has come to rest, in seconds of its song. */
export async function restOf(page: Page, letter: 'A' | 'B'): Promise<number> {
  await settledIn(deckOf(page, letter).getByTitle('Hours, minutes, seconds, frames'), null);
  return timeOf(page, letter);
}

/** The tempo that a deck plays at, in beats a minute. */
export async function bpmOf(page: Page, letter: 'A' | 'B'): Promise<number> {
  return Number(await deckOf(page, letter).locator('[data-bpm]').innerText());
}

/** Loads the track of a row on a deck by the keyboard. */
export async function loadRow(row: Locator, letter: 'A' | 'B'): Promise<void> {
  await row.focus();
  await row.press(letter === 'A' ? 'Shift+ArrowLeft' : 'Shift+ArrowRight');
}

/** Names of controls that a screen reader would have no words for. */
export async function namelessControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, a, select, input, [role="slider"], [role="button"]')]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const label = element.getAttribute('aria-label') ?? element.getAttribute('title') ?? '';
        const labels = element instanceof HTMLInputElement ? (element.labels?.length ?? 0) : 0;
        return label.trim() === '' && (element.textContent ?? '').trim() === '' && labels === 0;
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

/** A button of the decks, by its whole name. */
export function controlOf(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** Presses a switch of the decks unless it is as wanted, and waits until it is. */
export async function switchTo(page: Page, name: string, isOn: boolean): Promise<void> {
  const button = controlOf(page, name);
  if ((await button.getAttribute('aria-pressed')) !== String(isOn)) await button.click();
  await untilPressed(page, name, isOn);
}

/** Waits until a switch of the decks is on, or off. */
export async function untilPressed(page: Page, name: string, isOn: boolean): Promise<void> {
  const button = controlOf(page, name);
  await untilEqual(`${name} is pressed`, () => button.getAttribute('aria-pressed'), String(isOn));
}

/** Lets a deck play, or stand. */
export async function letPlay(page: Page, letter: 'A' | 'B', isPlaying: boolean): Promise<void> {
  const press = controlOf(page, `${isPlaying ? 'Play' : 'Pause'} deck ${letter}`);
  const done = controlOf(page, `${isPlaying ? 'Pause' : 'Play'} deck ${letter}`);
  await press.or(done).waitFor();
  if (await press.isVisible()) await press.click();
  await done.waitFor();
}

/** Puts decks, playing or not, some bars into their songs, where all of their instruments are. */
export async function toStart(page: Page, ...letters: readonly ('A' | 'B')[]): Promise<void> {
  for (const letter of letters) {
    const place = sliderOf(page, `Place in the song of deck ${letter}`);
    await place.press('Home');
    for (let press = 0; press < 4; press++) await place.press('ArrowRight');
  }
}

/** Lets decks play from where {@link toStart} puts them: a song that has ended meanwhile begins again. */
export async function playFromStart(page: Page, ...letters: readonly ('A' | 'B')[]): Promise<void> {
  await toStart(page, ...letters);
  for (const letter of letters) await letPlay(page, letter, true);
}

/** A fader, a knob or a place in a song, by its whole name. */
export function sliderOf(page: Page, name: string): Locator {
  return page.getByRole('slider', { name, exact: true });
}

/** Where a fader or a knob stands, in its own unit. */
export async function valueOf(page: Page, name: string): Promise<number> {
  return Number(await sliderOf(page, name).getAttribute('aria-valuenow'));
}

/** Where a fader or a knob has come to rest, in its own unit. */
export async function settledValue(page: Page, name: string): Promise<number> {
  return Number(await settledIn(sliderOf(page, name), 'aria-valuenow'));
}

/** Waits until a fader or a knob stands where it is expected, `within` more or less. */
export async function untilValue(page: Page, name: string, value: number, within = 0.001): Promise<void> {
  await until(
    `${name} (wanted ${value})`,
    () => valueOf(page, name),
    (seen) => Math.abs(seen - value) <= within,
  );
}

/** Puts a deck that has a song to a whole second of it, and waits until it is there or, playing, a little further. */
export async function placeDeck(page: Page, letter: 'A' | 'B', seconds: number): Promise<void> {
  const name = `Place in the song of deck ${letter}`;
  const place = sliderOf(page, name);
  const length = await until(
    `seconds of the song on deck ${letter}`,
    async () => Number(await place.getAttribute('aria-valuemax')),
    (seen) => seen > 0,
  );
  const box = await place.boundingBox();
  if (!box) throw new Error(`deck ${letter} is not on the page`);
  await page.mouse.click(box.x + (box.width * seconds) / length, box.y + box.height / 2);
  await until(
    `${name} (wanted ${seconds})`,
    () => valueOf(page, name),
    (seen) => seen >= seconds - 1 && seen < seconds + 15,
  );
}

/** Controls of the decks that are narrower or lower than a finger wants, each with its size. */
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

/** Whether nothing lies over an element, at its middle and near both of its ends. */
export async function isUncovered(element: Locator): Promise<boolean> {
  return element.evaluate((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [0.05, 0.5, 0.95].every((share) => {
      const there = document.elementFromPoint(x + share * width, y + height / 2);
      return there !== null && (part.contains(there) || there.contains(part));
    });
  });
}
