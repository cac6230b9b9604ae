import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frequencyOf } from '../pitch.ts';
import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';
import type { Singer } from './gestures.ts';
import { vowels } from './phones.ts';
import { PHRASE_LEAD_SAMPLES, singPhrase } from './sing.ts';

const man: Singer = {
  formants: 'men',
  size: 1,
  vibratoHz: 5.5,
  vibratoCents: 25,
  vibratoAfterSeconds: 0.3,
  portamentoSeconds: 0.06,
  openQuotient: 0.6,
  tiltHz: 4000,
  breath: 0.02,
};
const still: Singer = { ...man, vibratoCents: 0 };

/** Returns the pitch of a range in Hz: the lag of largest autocorrelation, refined by a parabola. */
function pitchOf(samples: Float32Array, from: number, to: number, nearHz: number): number {
  const likeness = (lag: number): number => {
    let sum = 0;
    for (let index = from; index < to; index++) sum += samples[index]! * samples[index + lag]!;
    return sum;
  };
  const centre = SAMPLE_RATE_HZ / nearHz;
  let best = Math.round(centre * 0.85);
  for (let lag = best; lag < centre * 1.15; lag++) if (likeness(lag) > likeness(best)) best = lag;
  const [before, at, after] = [likeness(best - 1), likeness(best), likeness(best + 1)];
  return SAMPLE_RATE_HZ / (best + (0.5 * (before - after)) / (before - 2 * at + after));
}

/** Returns the level in dB of one partial over a range with a Hann window. */
function levelAt(samples: Float32Array, from: number, to: number, hz: number): number {
  let real = 0;
  let imaginary = 0;
  for (let index = from; index < to; index++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (index - from)) / (to - from));
    const angle = (2 * Math.PI * hz * index) / SAMPLE_RATE_HZ;
    real += window * samples[index]! * Math.cos(angle);
    imaginary -= window * samples[index]! * Math.sin(angle);
  }
  return 20 * Math.log10(Math.hypot(real, imaginary) / (to - from) + 1e-12);
}

test('sings each note of the score within 15 cents', () => {
  const score = [57, 60, 64, 62];
  const notes = score.map((midi, index) => ({
    startSeconds: index * 0.6,
    durationSeconds: 0.6,
    midi,
    syllable: 'la',
  }));
  const { left } = singPhrase(notes, man, 7);
  score.forEach((midi, index) => {
    const middle = PHRASE_LEAD_SAMPLES + Math.round((index * 0.6 + 0.22) * SAMPLE_RATE_HZ);
    const hz = pitchOf(left, middle, middle + 6000, frequencyOf(midi));
    const cents = 1200 * Math.log2(hz / frequencyOf(midi));
    assert.ok(Math.abs(cents) < 15, `note ${midi} is off by ${cents} cents`);
  });
});

test('sings vowels with the formants that Peterson and Barney measured', () => {
  const f0 = 98;
  for (const letter of ['A', 'i', 'E', 'I']) {
    const notes = [{ startSeconds: 0, durationSeconds: 1, midi: 43, syllable: letter }];
    const { left } = singPhrase(notes, still, 3);
    const from = PHRASE_LEAD_SAMPLES + Math.round(0.3 * SAMPLE_RATE_HZ);
    const levels = Array.from({ length: 34 }, (_, index) =>
      levelAt(left, from, from + 16_384, f0 * (index + 1)),
    );
    // The strongest partial between the adjacent formants lies within one and a half partials of the formant.
    const [f1, f2, f3] = vowels[letter]!.men;
    [f1, f2].forEach((formantHz, which) => {
      const reach = which === 0 ? (f2 - f1) / 2 : Math.min(f2 - f1, f3 - f2) / 2;
      const near = levels
        .map((level, index) => ({ level, hz: f0 * (index + 1) }))
        .filter(({ hz }) => Math.abs(hz - formantHz) < reach);
      const peak = near.reduce((best, partial) => (partial.level > best.level ? partial : best));
      assert.ok(
        Math.abs(peak.hz - formantHz) <= 1.6 * f0,
        `${letter}: ${formantHz} Hz found at ${peak.hz} Hz`,
      );
    });
  }
});

test('begins the vibrato after a steady onset of the note', () => {
  const { left } = singPhrase([{ startSeconds: 0, durationSeconds: 2, midi: 57, syllable: 'a' }], man, 5);
  const spread = (fromSeconds: number): number => {
    const pitches = Array.from({ length: 12 }, (_, index) => {
      const at = PHRASE_LEAD_SAMPLES + Math.round((fromSeconds + index * 0.03) * SAMPLE_RATE_HZ);
      return 1200 * Math.log2(pitchOf(left, at, at + 1400, 220) / 220);
    });
    return Math.max(...pitches) - Math.min(...pitches);
  };
  assert.ok(spread(1.2) > 2 * spread(0.12) && spread(1.2) > 25, `${spread(0.12)} then ${spread(1.2)} cents`);
});

test('gives another take for another seed and the same take for the same seed', () => {
  const notes = [{ startSeconds: 0, durationSeconds: 0.3, midi: 60, syllable: 'na' }];
  assert.deepEqual(singPhrase(notes, man, 1).left, singPhrase(notes, man, 1).left);
  assert.notDeepEqual(singPhrase(notes, man, 1).left, singPhrase(notes, man, 2).left);
});

test('rejects a phrase without notes and a syllable without a vowel', () => {
  assert.throws(() => singPhrase([], man, 1), /at least one note/);
  const notes = [{ startSeconds: 0, durationSeconds: 0.3, midi: 60, syllable: 'st' }];
  assert.throws(() => singPhrase(notes, man, 1), /must have a vowel/);
});
