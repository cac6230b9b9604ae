import { areSameBeats, beatCandidates } from './beat-candidates.ts';
import type { BeatHypothesis } from './beat-hypotheses.ts';
import { type DetectedTimeSignature, timeSignatureOf } from './time-signature.ts';

/** A factor of the tempo by which a grid can be multiplied. */
export type TempoFactor = '2' | '1/2' | '3/2' | '2/3' | '3' | '1/3';

/** Another rhythm that a track may have, as the change that leads to it, in the form in which it is sent. */
export type RhythmAlternative =
  /** The same tempo, with the beats later by a part of a beat. */
  | { readonly change: 'shift'; readonly beats: number; readonly probability: number }
  /** The tempo multiplied. */
  | { readonly change: 'multiply'; readonly factor: TempoFactor; readonly probability: number }
  /** Bars of another length, on the same beats. */
  | {
      readonly change: 'metre';
      readonly time_signature: DetectedTimeSignature;
      readonly probability: number;
    };

const FACTORS: readonly { readonly factor: TempoFactor; readonly rate: number }[] = [
  { factor: '2', rate: 2 },
  { factor: '1/2', rate: 1 / 2 },
  { factor: '3/2', rate: 3 / 2 },
  { factor: '2/3', rate: 2 / 3 },
  { factor: '3', rate: 3 },
  { factor: '1/3', rate: 1 / 3 },
];
/** Least probability of an alternative, and the largest number of them. */
const LEAST_PROBABILITY = 0.01;
const MOST = 4;

/**
 * Returns the other rhythms that a track may have, the most probable first.
 *
 * They are other phases and levels of the beats, and bars of other lengths on the same beats. Bars of half the length, such
 * as 2/4 for 4/4, are not offered: they have the same accents, and nothing that a listener could count otherwise.
 *
 * @param hypotheses the most probable first; its probability is not repeated
 * @param beatsPerBar length of the bars that were chosen
 */
export function rhythmAlternatives(
  hypotheses: readonly BeatHypothesis[],
  beatsPerBar: number,
): RhythmAlternative[] {
  const [best, ...others] = hypotheses;
  if (!best) return [];
  const candidates = beatCandidates(best.beats);
  const shifts = new Map<number, number>();
  const factors = new Map<TempoFactor, number>();
  for (const { beats, probability } of others) {
    const relation = candidates.find((candidate) => areSameBeats(candidate.beats, beats));
    if (!relation) continue;
    const factor = FACTORS.find(({ rate }) => Math.abs(rate - relation.rate) < 1e-9)?.factor;
    // All phases of a level are one alternative, because the user hears which beats are meant.
    if (factor) factors.set(factor, (factors.get(factor) ?? 0) + probability);
    else shifts.set(relation.delay, (shifts.get(relation.delay) ?? 0) + probability);
  }
  const largest = best.bars[0]?.score ?? 0;
  const total = best.bars.reduce((sum, { score }) => sum + Math.exp(score - largest), 0);
  const alternatives: RhythmAlternative[] = [
    ...[...shifts].map(([beats, probability]) => ({ change: 'shift' as const, beats, probability })),
    ...[...factors].map(([factor, probability]) => ({ change: 'multiply' as const, factor, probability })),
    ...best.bars
      // It also excludes bars of the same length.
      .filter((bars) => beatsPerBar % bars.beatsPerBar !== 0)
      .map((bars) => ({
        change: 'metre' as const,
        time_signature: timeSignatureOf(bars.beatsPerBar, best.isInThree),
        probability: (best.probability * Math.exp(bars.score - largest)) / total,
      })),
  ];
  return alternatives
    .filter(({ probability }) => probability >= LEAST_PROBABILITY)
    .sort((left, right) => right.probability - left.probability)
    .slice(0, MOST);
}
