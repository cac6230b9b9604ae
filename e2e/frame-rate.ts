/** Frame rate of pages in tests, in Hz. */
export const slowFrameRateHz = 15;

/**
 * Limits the animation frames of a page, as a slow display does. Runs in the page, before its own scripts. Without a
 * graphics processor each frame of a moving waveform is painted by the processor, in total more than the audio needs.
 *
 * @param hz most frames in a second
 */
export function limitFrameRate(hz: number): void {
  const request = globalThis.requestAnimationFrame.bind(globalThis);
  const intervalMs = 1000 / hz;
  const callbacks = new Map<number, FrameRequestCallback>();
  let lastId = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let isRequested = false;
  const draw = (timeMs: number) => {
    isRequested = false;
    lastMs = timeMs;
    // Callbacks requested meanwhile belong to the next frame; those cancelled meanwhile are not called.
    const due = [...callbacks];
    for (const [id, callback] of due) {
      if (!callbacks.delete(id)) continue;
      try {
        callback(timeMs);
      } catch (error) {
        reportError(error);
      }
    }
  };
  globalThis.requestAnimationFrame = (callback) => {
    callbacks.set(++lastId, callback);
    if (!isRequested) {
      isRequested = true;
      const restMs = lastMs + intervalMs - performance.now();
      if (restMs > 0) setTimeout(() => request(draw), restMs);
      else request(draw);
    }
    return lastId;
  };
  globalThis.cancelAnimationFrame = (id) => void callbacks.delete(id);
}
