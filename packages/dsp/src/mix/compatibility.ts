import { camelotOf } from '../tonal/camelot.ts';
import { boostRelations, compatibleRelations, type KeyRelation, keyRelation } from '../tonal/key-relation.ts';
import { PITCH_FADER_PERCENT, type TempoRelation, tempoRelation } from './tempo-relation.ts';

/** What is known of a song that is to be mixed with another. */
export interface MixableSong {
  /** Beats a minute; null where unknown. */
  readonly bpm: number | null;
  /** A key such as `A minor`; the empty string where there is none. */
  readonly key: string;
}

/** How well two songs go together. */
export interface Compatibility {
  /** 0 to 1: the product of how well keys and tempi go together. */
  readonly score: number;
  /**
   * `fits`: both keys and tempi go together; `lifts`: the same, but the key is an energy boost, for the moment of a change;
   * `clashes`: one of the two does not; `unsure`: nothing speaks against it, and not everything is known.
   */
  readonly verdict: 'fits' | 'lifts' | 'clashes' | 'unsure';
  readonly key: KeyRelation;
  /** Null where a tempo is unknown. */
  readonly tempo: TempoRelation | null;
  /** Why, in words: of the key, then of the tempo. */
  readonly reasons: readonly string[];
}

/** How well keys go together, by their relation: as many tones as they share, and a boost for its moment. */
export const keyWorth: Readonly<Record<KeyRelation, number>> = {
  same: 1,
  relative: 0.9,
  step_up: 0.9,
  step_down: 0.9,
  boost_tone: 0.6,
  boost_semitone: 0.6,
  clash: 0.15,
  unknown: 0.5,
};

/** How well tempi go together of which one is unknown. */
export const UNKNOWN_TEMPO_WORTH = 0.5;

/**
 * How well `b` can be mixed into `a`: by their keys on the wheel of fifths, and by how far the tempo of `b` has to be
 * moved, its key being kept. A rule of thumb of disc jockeys, not a measurement: what sounds good decides.
 *
 * @param rangePercent how far the tempo can be moved, above 0
 * @see https://mixedinkey.com/harmonic-mixing-guide/
 */
export function compatibility(
  a: MixableSong,
  b: MixableSong,
  rangePercent = PITCH_FADER_PERCENT,
): Compatibility {
  const key = keyRelation(a.key, b.key);
  const tempo = tempoRelation(a.bpm, b.bpm, rangePercent);
  return {
    score: keyWorth[key] * (tempo?.score ?? UNKNOWN_TEMPO_WORTH),
    verdict: verdictOf(key, tempo),
    key,
    tempo,
    reasons: [keyReason(key, a.key, b.key), tempoReason(tempo)],
  };
}

const isOneOf = (relations: readonly KeyRelation[], key: KeyRelation) => relations.includes(key);

function verdictOf(key: KeyRelation, tempo: TempoRelation | null): Compatibility['verdict'] {
  if (key === 'clash' || tempo?.isReachable === false) return 'clashes';
  if (tempo === null) return 'unsure';
  if (isOneOf(boostRelations, key)) return 'lifts';
  return isOneOf(compatibleRelations, key) ? 'fits' : 'unsure';
}

function keyReason(relation: KeyRelation, from: string, to: string): string {
  const code = camelotOf(to);
  switch (relation) {
    case 'same':
      return `same key (${code})`;
    case 'relative':
      return `relative ${to.endsWith('minor') ? 'minor' : 'major'} (${code})`;
    case 'step_up':
      return `one step up the wheel (${code})`;
    case 'step_down':
      return `one step down the wheel (${code})`;
    case 'boost_tone':
      return `energy boost, a tone up (${code})`;
    case 'boost_semitone':
      return `energy boost, a semitone up (${code})`;
    case 'clash':
      return `keys clash (${camelotOf(from)} and ${code})`;
    case 'unknown':
      return 'key unknown';
  }
}

function tempoReason(tempo: TempoRelation | null): string {
  if (tempo === null) return 'tempo unknown';
  const count = tempo.factor === 1 ? '' : `at ${tempo.factor === 2 ? 'half' : 'double'} tempo, `;
  const percent = Math.abs(tempo.percent).toFixed(1);
  if (percent === '0.0') return tempo.factor === 1 ? 'same tempo' : count.slice(0, -2);
  const move = `${percent} % ${tempo.percent > 0 ? 'faster' : 'slower'}`;
  return tempo.isReachable ? `${count}${move}` : `tempo out of reach (${count}${move})`;
}
