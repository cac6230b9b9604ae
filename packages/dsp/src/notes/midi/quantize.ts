import { type TempoMap, TICKS_PER_QUARTER } from './tempo-map.ts';

/** Divisions of a whole note to which notes can be quantised. */
export const quantizeSteps = [4, 8, 16, 32] as const;
/** A division of a whole note. */
export type QuantizeStep = (typeof quantizeSteps)[number];

/** Returns the division with this name, such as `16`; null for any other text. */
export const quantizeStepOf = (name: string): QuantizeStep | null =>
  quantizeSteps.find((step) => String(step) === name) ?? null;

/**
 * Creates a function that quantises the start and end of a note, in ticks, to divisions of the bar.
 *
 * A quantised note is never shorter than one division.
 *
 * @param step null only rounds to whole ticks
 */
export function quantizer(
  map: TempoMap,
  step: QuantizeStep | null,
): (start: number, end: number) => { readonly start: number; readonly end: number } {
  const ticks = step === null ? 1 : (4 * TICKS_PER_QUARTER) / step;
  const origin = step === null ? 0 : map.firstBarTick % ticks;
  const nearest = (tick: number): number => Math.round((tick - origin) / ticks) * ticks + origin;
  return (from, to) => {
    // The origin may lie above the first division before it.
    const start = Math.max(0, nearest(from));
    return { start, end: Math.max(start + ticks, nearest(to)) };
  };
}
