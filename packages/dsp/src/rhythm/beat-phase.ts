import type { OnsetStrength } from './onset-envelope.ts';

/** What marks a beat against the middle between two: above all the bass drum. */
const DRUM_WEIGHT = 2;
/** Hops before and after a position that still belong to it. */
const EARLY_HOPS = 2;
const LATE_HOPS = 4;

/** How much a change of harmony counts: it is the surest sign, for chords change on beats. */
const HARMONY_WEIGHT = 6;
/** The sound on either side of a position in which harmony is compared, in beats. */
const HARMONY_BEATS = 0.9;
/** Mean squared change of harmony below which it counts the less: where chords hardly move, their changes are chance. */
const MOVING = 0.08;
/** Chords ring on into what follows them: it is heard a little later. */
const RINGING_HOPS = 6;

/** The twelve pitch classes that sound between two positions in hops, or nothing where not known. */
export type ChromaBetween = (fromHop: number, toHop: number) => Float32Array | undefined;

/**
 * How much more the beats sound like beats than the positions a part of the way to the next one do: bass drum twice,
 * and the middle and high onsets once each, as (on − off) / (on + off), and where the harmony is known how much
 * more of it changes. Bass and open hi-hat like to stand between the beats, so that the strongest onsets alone would
 * be misled; so would a swinging player, who strikes at two thirds.
 *
 * @param beats positions in hops, ascending
 * @param part of the way to the next beat, 0 to 1
 * @returns −10 to 10; below 0 the track is better counted from there; 0 for fewer than two beats
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

/** How little two sums of pitch classes have in common: 0 the same, 1 nothing; 0 where one is silent or not known. */
function chromaDistance(before: Float32Array | undefined, after: Float32Array | undefined): number {
  if (!before || !after) return 0;
  let both = 0;
  let left = 0;
  let right = 0;
  for (let pitch = 0; pitch < 12; pitch++) {
    both += (before[pitch] ?? 0) * (after[pitch] ?? 0);
    left += (before[pitch] ?? 0) ** 2;
    right += (after[pitch] ?? 0) ** 2;
  }
  return left > 0 && right > 0 ? 1 - both / Math.sqrt(left * right) : 0;
}

/** The positions a part (0 to 1) of the way from each position to the next. */
export function positionsBetween(positions: readonly number[], part = 0.5): number[] {
  return positions.slice(1).map((position, index) => (1 - part) * (positions[index] ?? 0) + part * position);
}

/** The largest number of a curve around a position in hops. */
export function strongestNear(curve: Float32Array, position: number): number {
  const hop = Math.round(position);
  let strongest = 0;
  for (let at = hop - EARLY_HOPS; at <= hop + LATE_HOPS; at++)
    strongest = Math.max(strongest, curve[at] ?? 0);
  return strongest;
}

/**
 * An onset curve in which only what is near the given positions is left, and a little of everything there, so that a
 * second search for beats keeps their phase through quiet passages.
 */
export function guideTo(envelope: Float32Array, positions: readonly number[], widthHops: number): Float32Array {
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
