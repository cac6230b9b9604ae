import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BeatHypothesis } from './beat-hypotheses.ts';
import { type RhythmAlternative, rhythmAlternatives } from './rhythm-alternatives.ts';
import { BAR_LENGTHS } from './time-signature.ts';

const beats = Array.from({ length: 32 }, (_, beat) => beat / 2);

/** Returns beats with a probability, and bars of which those of two beats are the most probable. */
function hypothesis(found: readonly number[], probability: number): BeatHypothesis {
  const bars = BAR_LENGTHS.map((beatsPerBar, index) => ({ beatsPerBar, downbeats: [], score: -index / 4 }));
  return { beats: found, isInThree: false, bars, features: [], isTracked: true, prior: 0, probability };
}

const metresOf = (alternatives: readonly RhythmAlternative[]): string[] =>
  alternatives.flatMap((one) => (one.change === 'metre' ? [one.time_signature] : []));

test('bars whose length divides that of the chosen ones are no alternative', () => {
  const hypotheses = [hypothesis(beats, 1)];
  assert.deepEqual(metresOf(rhythmAlternatives(hypotheses, 4)), ['3/4', '5/4', '6/4', '7/4']);
  assert.deepEqual(metresOf(rhythmAlternatives(hypotheses, 3)), ['2/4', '4/4', '5/4', '6/4']);
  assert.deepEqual(metresOf(rhythmAlternatives(hypotheses, 6)), ['4/4', '5/4', '7/4']);
});

test('the most probable alternative is the first, whatever its kind', () => {
  const shifted = beats.map((beat) => beat + 0.25);
  const alternatives = rhythmAlternatives([hypothesis(beats, 0.6), hypothesis(shifted, 0.4)], 4);
  const [first] = alternatives;
  assert.deepEqual(first, { change: 'shift', beats: 0.5, probability: 0.4 });
  const probabilities = alternatives.map(({ probability }) => probability);
  assert.deepEqual(
    probabilities,
    probabilities.toSorted((left, right) => right - left),
  );
});
