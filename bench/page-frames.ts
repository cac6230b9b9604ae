import type { Page } from 'playwright-core';

/** Frame time in ms above which a frame was missed at 60 per second. */
export const lateMs = 33;

/** Frames that a page drew. */
export interface Frames {
  readonly frames: number;
  /** Frames that took longer than {@link lateMs}. */
  readonly late: number;
  readonly longestMs: number;
}

/**
 * Counts the frames that a page draws.
 *
 * @param scroll element that is scrolled down before each frame, and by how many pixels
 */
export function countFrames(
  page: Page,
  seconds: number,
  scroll: { readonly selector: string; readonly px: number } | null = null,
): Promise<Frames> {
  return page.evaluate(
    async ({ forMs, late, scrolled }) => {
      const scroller = scrolled && document.querySelector(scrolled.selector);
      if (scrolled && !scroller) throw new Error(`the page has no ${scrolled.selector}`);
      const times = { frames: 0, late: 0, longestMs: 0 };
      const end = performance.now() + forMs;
      let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      while (last < end) {
        if (scroller) scroller.scrollTop += scrolled.px;
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        const passed = now - last;
        last = now;
        times.frames += 1;
        if (passed > late) times.late += 1;
        times.longestMs = Math.max(times.longestMs, passed);
      }
      return times;
    },
    { forMs: seconds * 1000, late: lateMs, scrolled: scroll },
  );
}
