import { ONSET_RATE } from './onset-envelope.ts';
import { beatsOfGrid, findStraightGrid } from './straight-grid.ts';

/** Least coherence of a grid of constant tempo that replaces decoded beats. */
const LEAST_COHERENCE = 0.85;
/** Distance within which a beat moves to an onset, and the width of the preference for near ones, in hops. */
const REACH_HOPS = 4;
const WIDTH_HOPS = 2;
/** Onset strength in relation to its root mean square below which a beat keeps its position. */
const LEAST_STRENGTH = 0.5;

/**
 * Returns decoded beats at the exact times of onsets: those of a constant tempo if the music has one.
 *
 * Decoded beats are multiples of 20 ms. Each moves to the strongest onset nearby; then a grid of constant tempo is fitted
 * to the onset curve and replaces the beats where the music keeps to it.
 *
 * @param envelope onset strength per hop, with a root mean square of 1
 * @param beats seconds, ascending
 * @returns seconds, ascending
 */
export function alignToOnsets(envelope: Float32Array, beats: readonly number[]): number[] {
  const positions = beats.map((beat) => nearestOnset(envelope, beat * ONSET_RATE));
  const grid = findStraightGrid(envelope, positions);
  if (!grid || grid.coherence < LEAST_COHERENCE) return positions.map((hop) => hop / ONSET_RATE);
  const half = grid.periodHops / 2;
  return beatsOfGrid(grid, (positions[0] ?? 0) - half, (positions.at(-1) ?? 0) + half).map(
    (hop) => hop / ONSET_RATE,
  );
}

/** Returns the strongest onset near a position in fractional hops, or the position if there is none. */
function nearestOnset(envelope: Float32Array, position: number): number {
  const centre = Math.round(position);
  let best = { value: 0, hop: -1 };
  for (let hop = Math.max(1, centre - REACH_HOPS); hop <= centre + REACH_HOPS; hop++) {
    const strength = envelope[hop] ?? 0;
    if (
      strength < LEAST_STRENGTH ||
      strength < (envelope[hop - 1] ?? 0) ||
      strength < (envelope[hop + 1] ?? 0)
    )
      continue;
    const value = strength * Math.exp(-0.5 * ((hop - position) / WIDTH_HOPS) ** 2);
    if (value > best.value) best = { value, hop };
  }
  if (best.hop < 0) return position;
  const [left, top, right] = [-1, 0, 1].map((offset) => envelope[best.hop + offset] ?? 0) as [
    number,
    number,
    number,
  ];
  const bend = left - 2 * top + right;
  return bend < 0 ? best.hop + (0.5 * (left - right)) / bend : best.hop;
}
