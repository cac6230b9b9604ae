import type { Page } from 'playwright-core';
import { loadRow } from './dj-page.ts';
import { trackRow, uploadSong } from './library-page.ts';
import { type Measurement, measure, tapOutputs } from './output-analysers.ts';
import { setUp } from './people.ts';
import type { Studio } from './studio.ts';
import { LADDER_HZ_A_SECOND, ladderSong } from './test-audio.ts';
import { until } from './until.ts';

const analysisLimitMs = 180_000;
const songSeconds = 40;

/** Initial frequency of the tone of deck A, in Hz; the tone ends below that of deck B. */
export const lowHz = 200;
/** Initial frequency of the tone of deck B, in Hz. */
export const highHz = 800;
/** Level that counts as playing, slightly below that of a song. */
export const loud = 0.05;

/** Returns the position of deck A in seconds of its song, from the frequency of its tone. */
export function positionOf({ hz }: Measurement): number {
  return (hz - lowHz) / LADDER_HZ_A_SECOND;
}

/** Returns how far deck A advanced beyond the elapsed time between two measurements, in seconds. */
export function aheadOfTime(from: Measurement, to: Measurement): number {
  return positionOf(to) - positionOf(from) - (to.atSeconds - from.atSeconds);
}

/** Waits until deck A plays at the given second of its song or up to 15 s later, and returns the signal. */
export async function untilPlaysAt(page: Page, seconds: number): Promise<Measurement> {
  return until(
    `deck A at ${seconds} s in the master`,
    () => measure(page, 'master'),
    (measured) =>
      measured.level >= loud && positionOf(measured) >= seconds - 0.1 && positionOf(measured) < seconds + 15,
  );
}

/** A page with two decks and analysers, for songs whose sound shows their position. */
export interface Stage {
  page: Page;
  shoot: (name: string) => Promise<void>;
}

/** Loads "Low" on deck A and "High" on deck B, both analysed. */
export async function setStage({ page }: Stage, studio: Studio): Promise<void> {
  await page.addInitScript(tapOutputs);
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import demo album' }).waitFor();
  await uploadSong(page, 'Low', ladderSong(songSeconds, lowHz));
  await uploadSong(page, 'High', ladderSong(songSeconds, highHz));
  for (const title of ['Low', 'High'])
    await trackRow(page, title)
      .locator('[data-column="bpm"]')
      .filter({ hasText: /\d/ })
      .waitFor({ timeout: analysisLimitMs });
  await page.goto('/?tab=dj');
  await loadRow(trackRow(page, 'Low'), 'A');
  await loadRow(trackRow(page, 'High'), 'B');
  for (const deck of ['a', 'b'])
    await page.waitForFunction(
      (letter) => Number(document.querySelector(`[data-deck="${letter}"] [data-bpm]`)?.textContent) > 0,
      deck,
    );
}
