import type { OnsetStrength } from './onset-envelope.ts';

/** What marks a beat against the middle between two: above all the bass drum. */
const DRUM_WEIGHT = 2;
/** Hops before and after a place that still belong to it. */
const EARLY_HOPS = 2;
const LATE_HOPS = 4;

/**
 * How much more the beats sound like beats than the places half-way between them do: bass drum twice, and the middle
 * and high onsets once each, as (on − off) / (on + off). Bass and open hi-hat like to stand between the beats, so
 * that the strongest onsets alone would be misled.
 *
 * @param beats places in hops, ascending
 * @returns −4 to 4; below 0 the track is better counted from half-way between; 0 for fewer than two beats
 * @see Goto, "An audio-based real-time beat tracking system for music with or without drum-sounds", J. New Music
 *   Research 30, 2001 (bass drum and snare patterns decide between the beat and its middle)
 */
export function beatPhaseEvidence(onsets: OnsetStrength, beats: readonly number[]): number {
  const middles = middlesOf(beats);
  const contrast = (curve: Float32Array): number => {
    let on = 0;
    let off = 0;
    for (const [index, middle] of middles.entries()) {
      on += strongestNear(curve, beats[index] ?? 0);
      off += strongestNear(curve, middle);
    }
    return on + off > 0 ? (on - off) / (on + off) : 0;
  };
  return DRUM_WEIGHT * contrast(onsets.drum) + contrast(onsets.middle) + contrast(onsets.high);
}

/** The places half-way between neighbours. */
export function middlesOf(places: readonly number[]): number[] {
  return places.slice(1).map((place, index) => (place + (places[index] ?? 0)) / 2);
}

/** The largest number of a curve around a place in hops. */
export function strongestNear(curve: Float32Array, place: number): number {
  const hop = Math.round(place);
  let strongest = 0;
  for (let at = hop - EARLY_HOPS; at <= hop + LATE_HOPS; at++)
    strongest = Math.max(strongest, curve[at] ?? 0);
  return strongest;
}

/**
 * An onset curve in which only what is near the given places is left, and a little of everything there, so that a
 * second search for beats keeps their phase through quiet passages.
 */
export function guideTo(envelope: Float32Array, places: readonly number[], widthHops: number): Float32Array {
  const guided = new Float32Array(envelope.length);
  for (const place of places) {
    const from = Math.max(0, Math.floor(place - 3 * widthHops));
    const to = Math.min(envelope.length - 1, Math.ceil(place + 3 * widthHops));
    for (let hop = from; hop <= to; hop++) {
      const nearness = Math.exp(-0.5 * ((hop - place) / widthHops) ** 2);
      guided[hop] = Math.max(guided[hop] ?? 0, ((envelope[hop] ?? 0) + LEAST) * nearness);
    }
  }
  return guided;
}
const LEAST = 0.1;
