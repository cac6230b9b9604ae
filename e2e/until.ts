import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';

/** Only what hangs takes this long, on any machine. */
const HANG_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Looks again and again until what is seen holds, and answers it.
 *
 * @param what a name for it, such as `titles shown`
 * @param limitMs after so long it is held to hang
 * @throws AssertionError with what was seen last
 */
export async function until<T>(
  what: string,
  look: () => Promise<T> | T,
  holds: (seen: T) => boolean,
  limitMs = HANG_MS,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > end)
      assert.fail(`${what}: waited ${limitMs / 1000} s in vain, last seen ${inspect(seen)}`);
    await sleep(PAUSE_MS);
  }
}

/** Looks again and again until what is seen equals `expected`; fails with both after a minute. */
export async function untilEqual<T>(what: string, look: () => Promise<T> | T, expected: T): Promise<void> {
  const wanted = `${what} (wanted ${inspect(expected)})`;
  await until(wanted, look, (seen) => isDeepStrictEqual(seen, expected));
}

/** Looks again and again until a text is like `pattern`; fails with both after a minute. */
export async function untilMatch(
  what: string,
  look: () => Promise<string | null> | string | null,
  pattern: RegExp,
): Promise<void> {
  await until(`${what} (wanted ${pattern})`, look, (seen) => pattern.test(seen ?? ''));
}

/** Waits until nothing of the page reaches beyond the screen's right edge, as it may for a moment after a change. */
export async function untilFits(page: Page): Promise<void> {
  await untilEqual(
    'pixels beyond the right edge',
    () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    0,
  );
}
