import { toCamelot } from './camelot.ts';
import type { LabelledSpan } from './chords.ts';
import { allKeys, gatherKeyEvidence, type KeyEvidence } from './key-evidence.ts';
import { hearTonality } from './tonality.ts';

/** The key of a track. */
export interface KeyEstimate {
  /** `A minor`, `F# major`: always sharps; empty where there is no tonality. */
  readonly key: string;
  /** `8A`; empty where there is no key. */
  readonly camelot: string;
  /** 0 to 1: how likely it is the right one of the 24; little for harmony that does not move. */
  readonly confidence: number;
}

/** Correlation with its profiles below which nothing is called a key: noise and drums stay under it. */
const LEAST_FIT = 0.4;
/**
 * What each kind of evidence is worth, as the logarithm of how much likelier it makes a key: a logistic choice among
 * 24 that was fitted to 45 invented songs and nothing else (`bench/ears/fit-key-weights.ts`).
 */
const WEIGHTS = { temperley: 7.9, albrecht: 9.1, tonicShare: 4.7, cadences: 2.9, opening: 2.4 } as const;
/** Motion of the harmony from which on a key is believed in full; where nothing moves, only so much of it. */
const FULL_MOTION = 0.06;
const STILL_TRUST = 0.3;

/**
 * The key that explains a track best: its notes against profiles of the 24 keys, where the music is at home, how it
 * gets there and what it opens with, weighed together.
 *
 * @param chroma columns of twelve pitch classes, C first
 * @param chords as heard without knowing the key; without them notes and opening alone decide
 * @returns no key for silence, noise, drums, sirens, and sound of a single note
 * @see Temperley, "Music and Probability", MIT Press 2007, chapter 4 (key as the most probable explanation)
 * @spec Key and chords
 */
export function findKey(chroma: readonly Float32Array[], chords: readonly LabelledSpan[] = []): KeyEstimate {
  const nothing: KeyEstimate = { key: '', camelot: '', confidence: 0 };
  const { histogram, isTonal, motion } = hearTonality(chroma);
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

/** How well each of the 24 keys fits columns of pitch classes, −1 to 1, always in the same order. */
export function fitKeys(chroma: readonly Float32Array[]): { key: string; fit: number }[] {
  const { histogram } = hearTonality(chroma);
  return gatherKeyEvidence(chroma, histogram, []).map((evidence, index) => ({
    key: allKeys[index]?.name ?? '',
    fit: fitOf(evidence),
  }));
}

/** The mean correlation with the profiles. */
function fitOf({ temperley, albrecht }: KeyEvidence): number {
  return (temperley + albrecht) / 2;
}

function scoreOf(evidence: KeyEvidence): number {
  return (
    WEIGHTS.temperley * evidence.temperley +
    WEIGHTS.albrecht * evidence.albrecht +
    WEIGHTS.tonicShare * evidence.tonicShare +
    WEIGHTS.cadences * evidence.cadences +
    WEIGHTS.opening * evidence.opening
  );
}
