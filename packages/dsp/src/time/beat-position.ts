import { firstFrom } from './first-from.ts';

/** Number of beats at each end whose tempo is extrapolated. */
const EDGE_BEATS = 8;

/**
 * Returns the position of a time among beats: 0 is the first beat, 0.5 halfway to the second.
 *
 * Beyond both ends the position is extrapolated with the tempo of the eight beats there. The inverse of {@link
 * secondsAtBeat}.
 *
 * @param beats seconds, strictly ascending
 * @returns NaN for fewer than two beats, which have no tempo
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
 * Returns the time in seconds of a position among beats, linear between beats and extrapolated beyond both ends.
 *
 * @param position 0 is the first beat; fractions lie between two, negative positions before the first
 * @param beats seconds, strictly ascending
 * @returns NaN for fewer than two beats
 */
export function secondsAtBeat(position: number, beats: readonly number[]): number {
  const last = beats.length - 1;
  if (last < 1) return Number.NaN;
  if (position <= 0) return (beats[0] ?? Number.NaN) + position * secondsBefore(beats);
  if (position >= last) return (beats[last] ?? Number.NaN) + (position - last) * secondsAfter(beats);
  const index = Math.floor(position);
  const low = beats[index] ?? Number.NaN;
  return low + (position - index) * ((beats[index + 1] ?? Number.NaN) - low);
}

/** Returns the duration of a beat at the beginning, in seconds. */
function secondsBefore(beats: readonly number[]): number {
  const edge = Math.min(EDGE_BEATS, beats.length - 1);
  return ((beats[edge] ?? Number.NaN) - (beats[0] ?? Number.NaN)) / edge;
}

/** Returns the duration of a beat at the end, in seconds. */
function secondsAfter(beats: readonly number[]): number {
  const last = beats.length - 1;
  const edge = Math.min(EDGE_BEATS, last);
  return ((beats[last] ?? Number.NaN) - (beats[last - edge] ?? Number.NaN)) / edge;
}
