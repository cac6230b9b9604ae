import type { Locator, Page } from 'playwright-core';

interface Point {
  x: number;
  y: number;
}

/** Touch identifier of {@link Fingers.tap}. */
const TAPPING = 9;

/** Simulated touch input. The browser derives pans, pinches and long presses from it as from real touches. */
export interface Fingers {
  /** Touches an element at the given fraction of its width and height, by default at its centre. */
  down(finger: number, on: Locator, at?: Point): Promise<void>;
  /** Moves several touches at once, by the given distances in pixels, in steps. */
  slide(by: Readonly<Record<number, Point>>, steps?: number): Promise<void>;
  /** Moves one touch to a position on the page. */
  slideTo(finger: number, to: Point): Promise<void>;
  up(...fingers: number[]): Promise<void>;
  /** Cancels all touches as a phone call or a system gesture does: held controls are released, no click follows. */
  cancel(): Promise<void>;
  /** Taps an element the given number of times in quick succession. */
  tap(on: Locator, times?: number): Promise<void>;
}

/** Creates touch input for a page with the Chrome DevTools Protocol; the visit must have touch enabled. */
export async function layFingers(page: Page): Promise<Fingers> {
  const session = await page.context().newCDPSession(page);
  const points = new Map<number, Point>();
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', timestamp?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      // Explicit time stamps keep the interval between taps independent of the machine's speed.
      ...(timestamp !== undefined && { timestamp }),
      touchPoints: [...points].map(([id, { x, y }]) => ({ id, x, y })),
    });
  return {
    async down(finger, on, at) {
      points.set(finger, await pointOn(on, at));
      await send('touchStart');
    },
    async slide(by, steps = 8) {
      for (let step = 0; step < steps; step++) {
        for (const [finger, { x, y }] of Object.entries(by)) {
          const from = points.get(Number(finger));
          if (from) points.set(Number(finger), { x: from.x + x / steps, y: from.y + y / steps });
        }
        await send('touchMove');
      }
    },
    async slideTo(finger, to) {
      points.set(finger, to);
      await send('touchMove');
    },
    async up(...lifted) {
      for (const finger of lifted) points.delete(finger);
      // In the protocol a move lifts the touches that it does not list, and `touchEnd` ends all of them.
      await send(points.size > 0 ? 'touchMove' : 'touchEnd');
    },
    async cancel() {
      points.clear();
      await send('touchCancel');
    },
    async tap(on, times = 1) {
      const point = await pointOn(on);
      const from = Date.now() / 1000;
      for (let time = 0; time < times; time++) {
        points.set(TAPPING, point);
        await send('touchStart', from + time * 0.15);
        points.delete(TAPPING);
        await send('touchEnd', from + time * 0.15 + 0.05);
      }
    },
  };
}

async function pointOn(on: Locator, at: Point = { x: 0.5, y: 0.5 }): Promise<Point> {
  await on.scrollIntoViewIfNeeded();
  const box = await on.boundingBox();
  if (!box) throw new Error('a finger was to be put on what is not on the page');
  return { x: box.x + box.width * at.x, y: box.y + box.height * at.y };
}

/** Runs `look` while the page emulates a coarse pointer. */
export async function withCoarsePointer(page: Page, look: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const enabled of [true, false]) {
    await session.send('Emulation.setTouchEmulationEnabled', { enabled });
    await page.waitForFunction((is) => matchMedia('(pointer: coarse)').matches === is, enabled);
    if (enabled) await look();
  }
  await session.detach();
}
