import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadFft } from '../transform/fft.ts';
import { midiToHz } from '../units.ts';
import { PITCH_CLASSES, toCamelot } from './camelot.ts';
import { estimateTuning, foldToChroma } from './chroma.ts';
import { findKey } from './key.ts';
import { createPitchKernel, PITCH_SAMPLE_RATE } from './pitch-kernel.ts';

/** Returns successive chords, each note with four decaying harmonics. */
function play(chords: number[][], secondsEach = 0.6, tuning = 0): Float32Array {
  const length = Math.round(secondsEach * PITCH_SAMPLE_RATE);
  const samples = new Float32Array(chords.length * length);
  chords.forEach((chord, index) => {
    for (const midi of chord) {
      for (let harmonic = 1; harmonic <= 4; harmonic++) {
        const step = (2 * Math.PI * harmonic * midiToHz(midi + tuning)) / PITCH_SAMPLE_RATE;
        for (let at = 0; at < length; at++) {
          samples[index * length + at] =
            (samples[index * length + at] ?? 0) +
            (0.1 / harmonic) * Math.sin(step * at) * Math.exp((-2 * at) / length);
        }
      }
    }
  });
  return samples;
}

function chromaOf(samples: Float32Array): Float32Array[] {
  const kernel = createPitchKernel();
  kernel.push(samples);
  const { columns } = kernel.finish();
  kernel.dispose();
  const tuning = estimateTuning(columns);
  return columns.map((column) => foldToChroma(column, tuning));
}

const major = (tonic: number): number[][] => {
  const chord = (root: number): number[] => [root, root + 4, root + 7];
  return [chord(tonic), chord(tonic + 5), chord(tonic + 7), chord(tonic)];
};
const minor = (tonic: number): number[][] => {
  const chord = (root: number): number[] => [root, root + 3, root + 7];
  return [chord(tonic), chord(tonic + 5), [tonic + 7, tonic + 11, tonic + 14], chord(tonic)];
};

describe('pitch classes of a track', () => {
  before(() => loadFft());

  it('contain only the pitch class of a pure tone', () => {
    for (const midi of [48, 57, 64, 73, 82]) {
      const step = (2 * Math.PI * midiToHz(midi)) / PITCH_SAMPLE_RATE;
      const chroma = chromaOf(
        Float32Array.from({ length: PITCH_SAMPLE_RATE }, (_, n) => 0.3 * Math.sin(step * n)),
      );
      const column = chroma[5] ?? new Float32Array(12);
      const total = column.reduce((sum, value) => sum + value, 0);
      assert.ok((column[midi % 12] ?? 0) > 0.95 * total, `midi ${midi}: ${column.join(' ')}`);
    }
  });

  it('give the tuning offset of a track within 5 cents', () => {
    for (const tuning of [-0.3, 0, 0.2, 0.4]) {
      const kernel = createPitchKernel();
      kernel.push(play(major(60), 0.6, tuning));
      const found = estimateTuning(kernel.finish().columns);
      kernel.dispose();
      assert.ok(Math.abs(found - tuning) < 0.05, `${tuning} was detected as ${found}`);
    }
  });
});

describe('key of a track', () => {
  before(() => loadFft());

  for (const [mode, cadence] of [
    ['major', major],
    ['minor', minor],
  ] as const) {
    it(`is found for a cadence in each of the twelve ${mode} keys`, () => {
      for (let tonic = 0; tonic < 12; tonic++) {
        const found = findKey(chromaOf(play(cadence(54 + ((tonic + 6) % 12)))));
        assert.equal(found.key, `${PITCH_CLASSES[tonic]} ${mode}`);
        assert.equal(found.camelot, toCamelot(tonic, mode));
        assert.ok(found.confidence > 0.3 && found.confidence <= 1);
      }
    });
  }

  it('is found for music tuned a third of a semitone flat', () => {
    assert.equal(findKey(chromaOf(play(major(62), 0.6, -0.33))).key, 'D major');
  });

  it('is empty for silence, noise, a single tone and empty input', () => {
    const nothing = { key: '', camelot: '', confidence: 0 };
    let state = 1;
    const noise = Float32Array.from({ length: 4 * PITCH_SAMPLE_RATE }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 31 - 1;
    });
    assert.deepEqual(findKey(chromaOf(new Float32Array(30_000))), nothing);
    assert.deepEqual(findKey(chromaOf(noise)), nothing);
    assert.deepEqual(findKey(chromaOf(play([[69]]))), nothing);
    assert.deepEqual(findKey([]), nothing);
  });

  it('is empty for pitched audio without harmony: a rich tone, a tuned drum, a siren', () => {
    const nothing = { key: '', camelot: '', confidence: 0 };
    const make = (wave: (seconds: number) => number): Float32Array =>
      Float32Array.from({ length: 8 * PITCH_SAMPLE_RATE }, (_, n) => wave(n / PITCH_SAMPLE_RATE));
    const inputs = {
      'a square wave': make((time) => 0.4 * Math.sign(Math.sin(2 * Math.PI * 220 * time))),
      'a saw': make((time) => 0.5 * (2 * ((110 * time) % 1) - 1)),
      'a bass drum that falls': make((time) => {
        const beat = time % 0.5;
        return (
          0.8 * Math.exp(-10 * beat) * Math.sin(2 * Math.PI * (50 * beat - 4.5 * Math.exp(-beat / 0.03)))
        );
      }),
      'a siren': make((time) => 0.5 * Math.sin(2 * Math.PI * 600 * time - 200 * Math.cos(Math.PI * time))),
    };
    for (const [name, samples] of Object.entries(inputs))
      assert.deepEqual(findKey(chromaOf(samples)), nothing, name);
  });

  it('has a confidence of at most 0.3 for a single held chord', () => {
    const found = findKey(chromaOf(play([[57, 60, 64]], 8)));
    assert.equal(found.key, 'A minor');
    assert.ok(found.confidence > 0 && found.confidence <= 0.3, `${found.confidence}`);
  });

  it('is the key of the tonal centre when two keys share the same notes', () => {
    // A minor and C major have the same scale; the chords begin in A minor and return to it.
    const chords = [
      [57, 60, 64],
      [53, 57, 60],
      [55, 59, 62],
      [57, 60, 64],
    ];
    const samples = play([...chords, ...chords], 1);
    const label = ['Am', 'F', 'G', 'Am', 'Am', 'F', 'G', 'Am'];
    const spans = label.map((name, at) => ({ start: at, end: at + 1, label: name }));
    assert.equal(findKey(chromaOf(samples), spans).key, 'A minor');
    const asMajor = play([[60, 64, 67], ...chords.slice(1, 3), [60, 64, 67], [60, 64, 67]], 1);
    const home = ['C', 'F', 'G', 'C', 'C'].map((name, at) => ({ start: at, end: at + 1, label: name }));
    assert.equal(findKey(chromaOf(asMajor), home).key, 'C major');
  });
});

describe('Camelot wheel', () => {
  it('has A minor at 8A, C major at 8B, and a fifth up one number higher', () => {
    assert.equal(toCamelot(9, 'minor'), '8A');
    assert.equal(toCamelot(0, 'major'), '8B');
    assert.equal(toCamelot(7, 'major'), '9B');
    assert.equal(toCamelot(6, 'major'), '2B');
    assert.equal(toCamelot(8, 'minor'), '1A');
    assert.equal(toCamelot(1, 'minor'), '12A');
  });
});
