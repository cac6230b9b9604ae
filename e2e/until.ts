import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';

/** Default time limit in ms; only a hanging operation reaches it, on any machine. */
const HANG_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Polls a value until it satisfies `holds`, and returns it.
 *
 * @param what description for the error, such as `titles shown`
 * @param limitMs time limit in ms
 * @throws AssertionError with the last value when the time limit is reached
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

/** Polls a value until it equals `expected`; fails with both after a minute. */
export async function untilEqual<T>(what: string, look: () => Promise<T> | T, expected: T): Promise<void> {
  const wanted = `${what} (wanted ${inspect(expected)})`;
  await until(wanted, look, (seen) => isDeepStrictEqual(seen, expected));
}

/** Polls a text until it matches `pattern`; fails with both after a minute. */
export async function untilMatch(
  what: string,
  look: () => Promise<string | null> | string | null,
  pattern: RegExp,
): Promise<void> {
  await until(`${what} (wanted ${pattern})`, look, (seen) => pattern.test(seen ?? ''));
}

/** Waits until nothing extends beyond the right edge of the screen, as may happen briefly after a change. */
export async function untilFits(page: Page): Promise<void> {
  await untilEqual(
    'pixels beyond the right edge',
    () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    0,
  );
}
