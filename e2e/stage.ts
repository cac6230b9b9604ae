import type { Page } from 'playwright-core';
import { loadRow } from './dj-page.ts';
import { type Heard, hear, openEars } from './ears.ts';
import { dropFiles, trackRow } from './library-page.ts';
import { setUp } from './people.ts';
import { LADDER_HZ_A_SECOND, ladderSong } from './sound.ts';
import type { Studio } from './studio.ts';
import { until } from './until.ts';

const analysisLimitMs = 180_000;
const songSeconds = 40;

/** Where the tone of deck A begins; it ends where that of deck B is not yet. */
export const lowHz = 200;
/** Where the tone of deck B begins. */
export const highHz = 800;
/** As loud as a song is, or nearly. */
export const loud = 0.05;

/** Where deck A is by what is heard of it, in seconds of its song. */
export function placeHeard({ hz }: Heard): number {
  return (hz - lowHz) / LADDER_HZ_A_SECOND;
}

/** How much further deck A came from one moment to the other than the time that passed, in seconds. */
export function aheadOfTime(from: Heard, to: Heard): number {
  return placeHeard(to) - placeHeard(from) - (to.atSeconds - from.atSeconds);
}

/** Waits until deck A, playing, is heard at a whole second of its song or a little further; answers what is heard. */
export async function untilHeardAt(page: Page, seconds: number): Promise<Heard> {
  return until(
    `deck A at ${seconds} s in the master`,
    () => hear(page, 'master'),
    (heard) => heard.level >= loud && placeHeard(heard) >= seconds - 0.1 && placeHeard(heard) < seconds + 15,
  );
}

/** Two decks with songs that say where they are, on a page with ears. */
export interface Stage {
  page: Page;
  shoot: (name: string) => Promise<void>;
}

/** Puts "Low" onto deck A and "High" onto deck B, both analysed. */
export async function setStage({ page }: Stage, studio: Studio): Promise<void> {
  await page.addInitScript(openEars);
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import demo album' }).waitFor();
  await dropFiles(page, [
    { name: 'Low.wav', type: 'audio/wav', bytes: ladderSong(songSeconds, lowHz) },
    { name: 'High.wav', type: 'audio/wav', bytes: ladderSong(songSeconds, highHz) },
  ]);
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
