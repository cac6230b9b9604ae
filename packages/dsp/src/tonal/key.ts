import { toCamelot } from './camelot.ts';
import type { LabelledSpan } from './chords.ts';
import { allKeys, gatherKeyEvidence, type KeyEvidence } from './key-evidence.ts';
import { measureTonality } from './tonality.ts';

/** Estimated key of a track. */
export interface KeyEstimate {
  /** Key such as `A minor` or `F# major`, always with sharps; empty without tonality. */
  readonly key: string;
  /** Camelot code such as `8A`; empty without a key. */
  readonly camelot: string;
  /** Probability that the key is correct, 0 to 1; low for static harmony. */
  readonly confidence: number;
}

/** Least correlation of a key with its profiles: noise and drums stay below. */
const LEAST_FIT = 0.4;
/**
 * Weights of a multinomial logistic regression among the 24 keys, fitted to 45 synthetic songs
 * (`bench/analysis-accuracy/fit-key-weights.ts`).
 */
const WEIGHTS = { temperley: 7.9, albrecht: 9.1, tonicFraction: 4.7, cadences: 2.9, opening: 2.4 } as const;
/** Harmonic motion for full confidence, and the fraction of it for static harmony. */
const FULL_MOTION = 0.06;
const STILL_TRUST = 0.3;

/**
 * Estimates the key of a track from its notes, the duration of the tonic chord, cadences and the opening.
 *
 * @param chroma columns of twelve pitch classes, C first
 * @param chords detected without a key; without them only notes and opening count
 * @returns no key for silence, noise, drums, sirens, and single notes
 * @see Temperley, "Music and Probability", MIT Press 2007, chapter 4 (key as the most probable explanation)
 * @spec Key and chords
 */
export function findKey(chroma: readonly Float32Array[], chords: readonly LabelledSpan[] = []): KeyEstimate {
  const nothing: KeyEstimate = { key: '', camelot: '', confidence: 0 };
  const { histogram, isTonal, motion } = measureTonality(chroma);
  if (!isTonal) return nothing;
  const evidence = gatherKeyEvidence(chroma, histogram, chords);
  const scores = evidence.map(scoreOf);
  const best = scores.indexOf(Math.max(...scores));
  const found = evidence[best];
  if (!found || fitOf(found) < LEAST_FIT) return nothing;
  const total = scores.reduce((sum, score) => sum + Math.exp(score - (scores[best] ?? 0)), 0);
  const trust = STILL_TRUST + (1 - STILL_TRUST) * Math.min(1, motion / FULL_MOTION);
  return {
    key: allKeys[best]?.name ?? '',
    camelot: toCamelot(found.tonic, found.mode),
    confidence: Math.round((100 * trust) / total) / 100,
  };
}

/** Returns the correlation of each of the 24 keys with chroma columns, −1 to 1, always in the same order. */
export function fitKeys(chroma: readonly Float32Array[]): { key: string; fit: number }[] {
  const { histogram } = measureTonality(chroma);
  return gatherKeyEvidence(chroma, histogram, []).map((evidence, index) => ({
    key: allKeys[index]?.name ?? '',
    fit: fitOf(evidence),
  }));
}

/** Returns the mean correlation with the profiles. */
function fitOf({ temperley, albrecht }: KeyEvidence): number {
  return (temperley + albrecht) / 2;
}

function scoreOf(evidence: KeyEvidence): number {
  return (
    WEIGHTS.temperley * evidence.temperley +
    WEIGHTS.albrecht * evidence.albrecht +
    WEIGHTS.tonicFraction * evidence.tonicFraction +
    WEIGHTS.cadences * evidence.cadences +
    WEIGHTS.opening * evidence.opening
  );
}
