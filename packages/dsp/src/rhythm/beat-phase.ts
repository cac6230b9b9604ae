import { chromaDistance } from './chroma-distance.ts';
import type { OnsetStrength } from './onset-envelope.ts';

/** Weight of the bass drum relative to the other onsets. */
const DRUM_WEIGHT = 2;
/** Hops before and after a position within which an onset counts for it. */
const EARLY_HOPS = 2;
const LATE_HOPS = 4;

/** Weight of changes of harmony, the strongest evidence: chords change on beats. */
const HARMONY_WEIGHT = 6;
/** Length of the windows before and after a position whose harmony is compared, in beats. */
const HARMONY_BEATS = 0.9;
/** Mean squared change of harmony below which its weight falls: small changes are random. */
const MOVING = 0.08;
/** Delay of the window after a position, because the previous chord decays into it. */
const RINGING_HOPS = 6;

/** Returns the chroma between two positions in hops; undefined if it is unknown. */
export type ChromaBetween = (fromHop: number, toHop: number) => Float32Array | undefined;

/**
 * Returns the evidence for the phase of beats against a phase between them.
 *
 * It sums the contrasts (on − off) / (on + off) of the bass drum (twice), of the middle and high onsets, and of the
 * changes of harmony where it is known. Onset strength alone would be misled by off-beat bass and open hi-hat, and by
 * swing.
 *
 * @param beats hops, ascending
 * @param part the other phase as a fraction of the beat interval, 0 to 1
 * @returns −10 to 10; below 0 the other phase fits better; 0 for fewer than two beats
 * @see Goto, "An audio-based real-time beat tracking system for music with or without drum-sounds", J. New Music
 *   Research 30, 2001 (bass drum and snare patterns, and chord changes, decide between the beat and its middle)
 */
export function beatPhaseEvidence(
  onsets: OnsetStrength,
  beats: readonly number[],
  part = 0.5,
  chromaBetween: ChromaBetween = () => undefined,
): number {
  const others = positionsBetween(beats, part);
  const contrastOf = (valueAt: (position: number, index: number) => number, least = 0): number => {
    let on = 0;
    let off = 0;
    for (const [index, other] of others.entries()) {
      on += valueAt(beats[index] ?? 0, index);
      off += valueAt(other, index);
    }
    const sum = Math.max(on + off, 2 * least * others.length);
    return sum > 0 ? (on - off) / sum : 0;
  };
  const contrast = (curve: Float32Array): number => contrastOf((position) => strongestNear(curve, position));
  const harmony = contrastOf((position, index) => {
    const reach = HARMONY_BEATS * ((beats[index + 1] ?? 0) - (beats[index] ?? 0));
    const late = position + RINGING_HOPS;
    return chromaDistance(chromaBetween(position - reach, position), chromaBetween(late, late + reach)) ** 2;
  }, MOVING);
  return (
    DRUM_WEIGHT * contrast(onsets.drum) +
    contrast(onsets.middle) +
    contrast(onsets.high) +
    HARMONY_WEIGHT * harmony
  );
}

/** Returns the positions at a fraction (0 to 1) of each interval between positions. */
export function positionsBetween(positions: readonly number[], part = 0.5): number[] {
  return positions.slice(1).map((position, index) => (1 - part) * (positions[index] ?? 0) + part * position);
}

/** Returns the maximum of a curve around a position in hops. */
export function strongestNear(curve: Float32Array, position: number): number {
  const hop = Math.round(position);
  let strongest = 0;
  for (let at = hop - EARLY_HOPS; at <= hop + LATE_HOPS; at++)
    strongest = Math.max(strongest, curve[at] ?? 0);
  return strongest;
}

/**
 * Returns an onset curve attenuated away from the given positions and raised slightly at them.
 *
 * With it, a second beat tracking keeps their phase through quiet passages.
 */
export function guideTo(
  envelope: Float32Array,
  positions: readonly number[],
  widthHops: number,
): Float32Array {
  const guided = new Float32Array(envelope.length);
  for (const position of positions) {
    const from = Math.max(0, Math.floor(position - 3 * widthHops));
    const to = Math.min(envelope.length - 1, Math.ceil(position + 3 * widthHops));
    for (let hop = from; hop <= to; hop++) {
      const nearness = Math.exp(-0.5 * ((hop - position) / widthHops) ** 2);
      guided[hop] = Math.max(guided[hop] ?? 0, ((envelope[hop] ?? 0) + LEAST) * nearness);
    }
  }
  return guided;
}
const LEAST = 0.1;
