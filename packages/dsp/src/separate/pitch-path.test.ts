import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPitchPath, type PitchPathOptions } from './pitch-path.ts';

const options: PitchPathOptions = {
  minHz: 90,
  maxHz: 900,
  stepSemitones: 0.25,
  harmonics: 10,
  harmonicDecay: 0.84,
  valleyWeight: 0.7,
  maxGlideSteps: 8,
  glideCost: 0.15,
  jumpCost: 3,
};

/** Frames of peaks three bins wide at the harmonics of a pitch. */
function drawHarmonics(pitches: readonly number[], bins: number, binHz: number): Float32Array {
  const values = new Float32Array(pitches.length * bins);
  for (const [t, hz] of pitches.entries()) {
    for (let harmonic = 1; harmonic <= 10; harmonic++) {
      const centre = (harmonic * hz) / binHz;
      for (let k = Math.ceil(centre - 1.5); k <= centre + 1.5; k++) {
        if (k < bins) values[t * bins + k] = (1 - Math.abs(k - centre) / 1.5) / harmonic;
      }
    }
  }
  return values;
}

test('tracks a gliding harmonic tone within a quarter tone, not at its octaves', () => {
  const pitches = Array.from({ length: 80 }, (_, t) => 220 * 2 ** (t / 80));
  const path = findPitchPath(drawHarmonics(pitches, 558, 10.77), 558, 10.77, options);
  for (const [t, hz] of pitches.entries()) {
    const cents = Math.abs(1200 * Math.log2((path.hz[t] as number) / hz));
    assert.ok(cents < 50, `frame ${t}: ${cents.toFixed(0)} cents off`);
  }
});

test('silence has a pitch path with no salience', () => {
  const path = findPitchPath(new Float32Array(558 * 4), 558, 10.77, options);
  assert.deepEqual([...path.salience], [0, 0, 0, 0]);
});

test('no frames give an empty path', () => {
  assert.equal(findPitchPath(new Float32Array(0), 558, 10.77, options).hz.length, 0);
});
