import { firstFrom } from './first-from.ts';

/** Beats at an edge whose tempo goes on beyond it. */
const EDGE_BEATS = 8;

/**
 * The place of a moment among beats: 0 is the first of them, 0.5 halfway to the second; beyond both ends it goes on in
 * the tempo of the eight beats there. The inverse of {@link secondsAtBeat}.
 *
 * @param beats seconds, ascending, no two alike
 * @returns not a number where there are fewer than two beats: one has no tempo
 */
export function beatAt(seconds: number, beats: readonly number[]): number {
  const last = beats.length - 1;
  const [from = Number.NaN] = beats;
  const to = beats[last] ?? Number.NaN;
  if (seconds <= from) return (seconds - from) / secondsBefore(beats);
  if (seconds >= to) return last + (seconds - to) / secondsAfter(beats);
  const next = firstFrom(beats, seconds);
  const low = beats[next - 1] ?? Number.NaN;
  return next - 1 + (seconds - low) / ((beats[next] ?? Number.NaN) - low);
}

/**
 * When a place among beats is, in seconds: straight between two of them, beyond both ends in the tempo there.
 *
 * @param place 0 is the first beat; fractions lie between two, negative places before the first
 * @param beats seconds, ascending, no two alike
 * @returns not a number where there are fewer than two beats
 */
export function secondsAtBeat(place: number, beats: readonly number[]): number {
  const last = beats.length - 1;
  if (last < 1) return Number.NaN;
  if (place <= 0) return (beats[0] ?? Number.NaN) + place * secondsBefore(beats);
  if (place >= last) return (beats[last] ?? Number.NaN) + (place - last) * secondsAfter(beats);
  const index = Math.floor(place);
  const low = beats[index] ?? Number.NaN;
  return low + (place - index) * ((beats[index + 1] ?? Number.NaN) - low);
}

/** Seconds of a beat at the beginning. */
function secondsBefore(beats: readonly number[]): number {
  const edge = Math.min(EDGE_BEATS, beats.length - 1);
  return ((beats[edge] ?? Number.NaN) - (beats[0] ?? Number.NaN)) / edge;
}

/** Seconds of a beat at the end. */
function secondsAfter(beats: readonly number[]): number {
  const last = beats.length - 1;
  const edge = Math.min(EDGE_BEATS, last);
  return ((beats[last] ?? Number.NaN) - (beats[last - edge] ?? Number.NaN)) / edge;
}
