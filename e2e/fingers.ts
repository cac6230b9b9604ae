import type { Locator, Page } from 'playwright-core';

interface Place {
  x: number;
  y: number;
}

/** The finger that taps. */
const TAPPING = 9;

/** Fingers on the screen: the browser makes of them what it makes of real ones, pans, pinches and long presses included. */
export interface Fingers {
  /** Puts a finger on an element: at a share of its width and height, the middle where none is said. */
  down(finger: number, on: Locator, at?: Place): Promise<void>;
  /** Slides fingers by so many pixels, all at once, in steps. */
  slide(by: Readonly<Record<number, Place>>, steps?: number): Promise<void>;
  /** Slides one finger to a place. */
  slideTo(finger: number, to: Place): Promise<void>;
  up(...fingers: number[]): Promise<void>;
  /** Takes all fingers away as a call or a gesture of the system does: what they held is let go, nothing is pressed. */
  cancel(): Promise<void>;
  /** Puts a finger on an element and takes it off, so many times in quick succession. */
  tap(on: Locator, times?: number): Promise<void>;
}

/** The fingers of one hand on a page, by the browser's own protocol; the visit has to be one with touch. */
export async function layFingers(page: Page): Promise<Fingers> {
  const session = await page.context().newCDPSession(page);
  const places = new Map<number, Place>();
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', timestamp?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      // How quickly taps follow each other is said, not left to how busy the machine is.
      ...(timestamp !== undefined && { timestamp }),
      touchPoints: [...places].map(([id, { x, y }]) => ({ id, x, y })),
    });
  return {
    async down(finger, on, at) {
      places.set(finger, await placeOn(on, at));
      await send('touchStart');
    },
    async slide(by, steps = 8) {
      for (let step = 0; step < steps; step++) {
        for (const [finger, { x, y }] of Object.entries(by)) {
          const from = places.get(Number(finger));
          if (from) places.set(Number(finger), { x: from.x + x / steps, y: from.y + y / steps });
        }
        await send('touchMove');
      }
    },
    async slideTo(finger, to) {
      places.set(finger, to);
      await send('touchMove');
    },
    async up(...lifted) {
      for (const finger of lifted) places.delete(finger);
      // The protocol lifts whoever is missing from a move; its end is the end of all.
      await send(places.size > 0 ? 'touchMove' : 'touchEnd');
    },
    async cancel() {
      places.clear();
      await send('touchCancel');
    },
    async tap(on, times = 1) {
      const place = await placeOn(on);
      const from = Date.now() / 1000;
      for (let time = 0; time < times; time++) {
        places.set(TAPPING, place);
        await send('touchStart', from + time * 0.15);
        places.delete(TAPPING);
        await send('touchEnd', from + time * 0.15 + 0.05);
      }
    },
  };
}

async function placeOn(on: Locator, at: Place = { x: 0.5, y: 0.5 }): Promise<Place> {
  await on.scrollIntoViewIfNeeded();
  const box = await on.boundingBox();
  if (!box) throw new Error('a finger was to be put on what is not on the page');
  return { x: box.x + box.width * at.x, y: box.y + box.height * at.y };
}

/** Lets a page look as it does where it is touched, for as long as `look` takes. */
export async function withCoarsePointer(page: Page, look: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const enabled of [true, false]) {
    await session.send('Emulation.setTouchEmulationEnabled', { enabled });
    await page.waitForFunction((is) => matchMedia('(pointer: coarse)').matches === is, enabled);
    if (enabled) await look();
  }
  await session.detach();
}
