import { timesF } from './times-f.ts';

const WINDOW_SECONDS = 0.07;
const TRIM_SECONDS = 5;
const TOLERANCE = 0.04;

/**
 * Checks whether a tempo is within 4 % of the true one.
 *
 * @see Gouyon et al., IEEE TASLP 14, 2006 (accuracy 1)
 */
export function isTempo(truth: number, estimate: number): boolean {
  return Math.abs(estimate - truth) <= TOLERANCE * truth;
}

/**
 * Checks a tempo like {@link isTempo}, but also accepts the double, triple, half and third.
 *
 * @see Gouyon et al., IEEE TASLP 14, 2006 (accuracy 2)
 */
export function isTempoOrMultiple(truth: number, estimate: number): boolean {
  return [1, 2, 3, 1 / 2, 1 / 3].some((factor) => isTempo(truth * factor, estimate));
}

/**
 * Returns the F-measure of beats: one-to-one matches within 70 ms, without the first 5 s; 0 if either list is empty.
 *
 * @param truth seconds, ascending
 * @param estimate seconds, ascending
 * @see Davies, Degara and Plumbley, "Evaluation methods for musical audio beat tracking algorithms", 2009
 */
export function beatF(truth: readonly number[], estimate: readonly number[]): number {
  const wanted = truth.filter((beat) => beat >= TRIM_SECONDS);
  const found = estimate.filter((beat) => beat >= TRIM_SECONDS);
  return timesF(wanted, found, WINDOW_SECONDS);
}
