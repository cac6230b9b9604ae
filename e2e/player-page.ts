import type { Page } from 'playwright-core';
import { until, untilEqual } from './until.ts';

/** Peak levels of the meters over a period, 0 to 1, by the name of the row. */
export type Levels = Readonly<Record<string, number>>;

/**
 * Returns the peak levels that the meters of the player show during the given time.
 *
 * @param seconds duration
 */
export async function watchMeters(page: Page, seconds: number): Promise<Levels> {
  return page.evaluate(async (forMs) => {
    const loudest: Record<string, number> = {};
    const end = performance.now() + forMs;
    while (performance.now() < end) {
      for (const row of document.querySelectorAll('[role="group"][data-row]')) {
        const name = row.getAttribute('aria-label') ?? '';
        const transform = row.querySelector<HTMLElement>('[data-meter]')?.style.transform ?? '';
        const level = Number(/scaleX\(([\d.]+)\)/.exec(transform)?.[1] ?? 0);
        loudest[name] = Math.max(loudest[name] ?? 0, level);
      }
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return loudest;
  }, seconds * 1000);
}

/** Waits until the accumulated peak levels of the meters satisfy `holds`. */
export async function untilMeters(
  page: Page,
  what: string,
  holds: (loudest: Levels) => boolean,
): Promise<void> {
  const loudest: Record<string, number> = {};
  const look = async () => {
    for (const [name, level] of Object.entries(await watchMeters(page, 0.3)))
      loudest[name] = Math.max(loudest[name] ?? 0, level);
    return { ...loudest };
  };
  await until(what, look, holds);
}

/** Returns the position in the song, in whole seconds. */
export async function songPosition(page: Page): Promise<number> {
  const slider = page.getByRole('slider', { name: 'Song position' });
  return Number(await slider.getAttribute('aria-valuenow'));
}

/** Waits until the position in the song equals the given number of whole seconds. */
export async function untilSongPosition(page: Page, seconds: number): Promise<void> {
  await untilEqual('position in the song', () => songPosition(page), seconds);
}

/** Tabs of the track page. */
export type TrackTab = 'Mix' | 'Grid & cues' | 'Notes' | 'Analysis';

/** Opens a tab of the track page. */
export async function openTrackTab(page: Page, name: TrackTab): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click();
  await page.getByRole('tabpanel', { name, exact: true }).waitFor();
}

/** Sets the tempo of the player in its field, which is in BPM or, where they are unknown, in percent. */
export async function setTempo(page: Page, value: string): Promise<void> {
  const field = page.getByRole('textbox', { name: /^Playback tempo in/ });
  await field.fill(value);
  await field.press('Enter');
}
