import { type TempoMap, TICKS_PER_QUARTER } from './tempo-map.ts';

/** What notes can be moved to: the divisions of a whole note. */
export const quantizeSteps = [4, 8, 16, 32] as const;
/** A division of a whole note. */
export type QuantizeStep = (typeof quantizeSteps)[number];

/**
 * A function from where a note begins and ends, in ticks, to where it does when it is moved to the nearest division of
 * the bar; it is never shorter than one.
 *
 * @param step null leaves notes where they are, but for fractions of a tick
 */
export function quantizer(
  map: TempoMap,
  step: QuantizeStep | null,
): (start: number, end: number) => { readonly start: number; readonly end: number } {
  const ticks = step === null ? 1 : (4 * TICKS_PER_QUARTER) / step;
  const origin = step === null ? 0 : map.firstBarTick % ticks;
  const nearest = (tick: number): number => Math.round((tick - origin) / ticks) * ticks + origin;
  return (from, to) => {
    // An origin may lie above the first division before it.
    const start = Math.max(0, nearest(from));
    return { start, end: Math.max(start + ticks, nearest(to)) };
  };
}
