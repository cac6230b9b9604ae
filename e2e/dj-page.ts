import type { Locator, Page } from 'playwright-core';

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

/** Listens to the last three quarters of a second that left the page. */
export async function hearMix(page: Page): Promise<MixHeard> {
  // What was sent before the last change has to be through.
  await page.waitForTimeout(1100);
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
  const text = await timecode.filter({ hasText: /\d\d:\d\d/ }).innerText();
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = text.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds + frames / 30;
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
  await page.locator(`[aria-label="${name}"][aria-pressed="${isOn}"]`).waitFor();
}

/** Lets a deck play, or stand. */
export async function letPlay(page: Page, letter: 'A' | 'B', isPlaying: boolean): Promise<void> {
  const press = controlOf(page, `${isPlaying ? 'Play' : 'Pause'} deck ${letter}`);
  const done = controlOf(page, `${isPlaying ? 'Pause' : 'Play'} deck ${letter}`);
  await press.or(done).waitFor();
  if (await press.isVisible()) await press.click();
  await done.waitFor();
}

/** A fader, a knob or a place in a song, by its whole name. */
export function sliderOf(page: Page, name: string): Locator {
  return page.getByRole('slider', { name, exact: true });
}

/** Where a fader or a knob stands, in its own unit. */
export async function valueOf(page: Page, name: string): Promise<number> {
  return Number(await sliderOf(page, name).getAttribute('aria-valuenow'));
}

/** Waits until a fader or a knob stands where it is expected, `within` more or less. */
export async function untilValue(page: Page, name: string, value: number, within = 0.001): Promise<void> {
  const handle = await sliderOf(page, name).elementHandle();
  await page.waitForFunction(
    ([element, wanted, near]) => Math.abs(Number(element?.getAttribute('aria-valuenow')) - wanted) <= near,
    [handle, value, within] as const,
  );
}

/** Puts a deck to a whole second of its song. */
export async function placeDeck(page: Page, letter: 'A' | 'B', seconds: number): Promise<void> {
  const place = sliderOf(page, `Place in the song of deck ${letter}`);
  const length = Number(await place.getAttribute('aria-valuemax'));
  const box = await place.boundingBox();
  if (!box || length === 0) throw new Error(`deck ${letter} has no song on the page`);
  await page.mouse.click(box.x + (box.width * seconds) / length, box.y + box.height / 2);
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
