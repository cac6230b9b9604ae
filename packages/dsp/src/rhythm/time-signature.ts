/** Default beats per bar. */
const USUAL_BEATS = 4;

/**
 * Returns the beats per bar of a time signature.
 *
 * The result is the numerator over quarters (`3/4` has three) and a third of it over eighths (`6/8` has two beats of
 * three eighths). It is four for text that is no time signature, and for eighths that are no multiple of three.
 */
export function beatsPerBarOf(timeSignature: string): number {
  const [, upper, lower] = /^(\d{1,2})\/(4|8)$/.exec(timeSignature) ?? [];
  const count = Number(upper);
  if (lower === '4' && count > 0) return count;
  return lower === '8' && count > 0 && count % 3 === 0 ? count / 3 : USUAL_BEATS;
}

/** Time signatures that are detected. */
export type DetectedTimeSignature = '2/4' | '3/4' | '4/4' | '5/4' | '6/4' | '7/4' | '6/8';

/** Returns the time signature of bars of 2 to 7 beats: two beats of three eighths are 6/8. */
export function timeSignatureOf(beatsPerBar: BarLength, isInThree: boolean): DetectedTimeSignature {
  return beatsPerBar === 2 && isInThree ? '6/8' : `${beatsPerBar}/4`;
}

/** Beats per bar that are detected. */
export const BAR_LENGTHS = [2, 3, 4, 5, 6, 7] as const;
/** One of {@link BAR_LENGTHS}. */
export type BarLength = (typeof BAR_LENGTHS)[number];
