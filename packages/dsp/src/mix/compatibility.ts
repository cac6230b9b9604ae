import { camelotOf } from '../tonal/camelot.ts';
import { boostRelations, compatibleRelations, type KeyRelation, keyRelation } from '../tonal/key-relation.ts';
import { PITCH_FADER_PERCENT, type TempoRelation, tempoRelation } from './tempo-relation.ts';

/** Known properties of a song that is to be mixed with another. */
export interface MixableSong {
  /** Beats per minute; null if unknown. */
  readonly bpm: number | null;
  /** A key such as `A minor`; empty if unknown. */
  readonly key: string;
}

/** Rating of two songs for a mix. */
export interface Compatibility {
  /** 0 to 1: the product of the scores of keys and tempi. */
  readonly score: number;
  /**
   * `fits`: keys and tempi go together; `lifts`: the same, but the key is an energy boost; `clashes`: one of the two
   * does not; `unsure`: nothing speaks against it, but something is unknown.
   */
  readonly verdict: 'fits' | 'lifts' | 'clashes' | 'unsure';
  readonly key: KeyRelation;
  /** Null if a tempo is unknown. */
  readonly tempo: TempoRelation | null;
  /** Reasons as text: of the key, then of the tempo. */
  readonly reasons: readonly string[];
}

/** Score of each key relation, by the number of shared tones; a boost suits the moment of its change. */
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

/** Score for tempi of which one is unknown. */
export const UNKNOWN_TEMPO_WORTH = 0.5;

/**
 * Rates how well `b` can be mixed into `a`, by their keys on the circle of fifths and their tempi.
 *
 * The tempo of `b` is changed with its key kept. This is a rule of thumb of disc jockeys, not a measurement.
 *
 * @param rangePercent largest change of tempo, above 0
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
