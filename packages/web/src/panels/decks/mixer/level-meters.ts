import type { Scope } from '@stem-studio/audio/base/scope';
import type { AnimationLoop } from '../../../base/animation-loop.ts';

/** Level at the bottom of a meter, in dBFS. */
const FLOOR_DB = -48;
const HOLD_MS = 1200;
/** Fall of the peak mark after its hold time and of the bar, in heights per second. */
const MARK_FALL = 0.4;
const BAR_FALL = 1.6;

/** Height of a level in a meter: 0 at −48 dBFS and below, 1 at full scale. */
export function meterShare(level: number): number {
  if (level <= 0) return 0;
  return Math.min(1, Math.max(0, 1 - (20 * Math.log10(level)) / FLOOR_DB));
}

/** One bar of a meter with its peak mark. */
export interface MeterState {
  bar: number;
  mark: number;
  markAt: number;
}

/** Updates a bar: it rises at once and falls slowly, and the mark holds the peak for a while. */
export function moveMeter(meter: MeterState, height: number, timeMs: number, sinceMs: number): void {
  meter.bar = Math.max(height, meter.bar - (BAR_FALL * sinceMs) / 1000);
  if (height >= meter.mark) {
    meter.mark = height;
    meter.markAt = timeMs;
  } else if (timeMs - meter.markAt > HOLD_MS)
    meter.mark = Math.max(meter.bar, meter.mark - (MARK_FALL * sinceMs) / 1000);
}

/**
 * Draws levels as bars with peak marks for as long as `scope` lives.
 *
 * @param element has one child per channel, each with two children: the bar and its mark
 */
export function openMeters(
  scope: Scope,
  animation: AnimationLoop,
  element: HTMLElement,
  levels: () => readonly [number, number],
): void {
  const meters: MeterState[] = [
    { bar: 0, mark: 0, markAt: 0 },
    { bar: 0, mark: 0, markAt: 0 },
  ];
  const shown = [-1, -1];
  let last = 0;
  animation.add(scope, (timeMs) => {
    const now = levels();
    const since = Math.min(100, timeMs - last);
    last = timeMs;
    let hasChanged = false;
    for (let index = 0; index < 2; index++) {
      const meter = meters[index];
      const lane = element.children[index];
      if (!meter || !lane) continue;
      moveMeter(meter, meterShare(now[index] ?? 0), timeMs, since);
      const sum = Math.round(meter.bar * 500) + Math.round(meter.mark * 500) * 1000;
      if (sum === shown[index]) continue;
      shown[index] = sum;
      hasChanged = true;
      const bar = lane.children[0] as HTMLElement | undefined;
      const mark = lane.children[1] as HTMLElement | undefined;
      // The bar is as high as the meter and clipped, so that its gradient does not move.
      if (bar) bar.style.clipPath = `inset(${((1 - meter.bar) * 100).toFixed(1)}% 0 0 0)`;
      if (mark) mark.style.transform = `translateY(${((1 - meter.mark) * lane.clientHeight).toFixed(1)}px)`;
    }
    return hasChanged;
  });
}
