import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kWeighting } from '../filter/k-weighting.ts';
import { createLoudnessMeter, SILENCE_LUFS } from './loudness.ts';

function sine(levelDb: number, seconds: number, sampleRate: number, hz = 1000): Float32Array {
  const peak = 10 ** (levelDb / 20);
  return Float32Array.from(
    { length: Math.round(seconds * sampleRate) },
    (_, n) => peak * Math.sin((2 * Math.PI * hz * n) / sampleRate),
  );
}

function measure(parts: Float32Array[], sampleRate: number, channels = 2): number {
  const meter = createLoudnessMeter({ sampleRate, channels });
  for (const part of parts) meter.push(Array.from({ length: channels }, () => part));
  return meter.finish();
}

describe('loudness', () => {
  it('applies the K-weighting coefficients of the standard at 48 kHz', () => {
    const [shelf, cut] = kWeighting(48_000);
    const expected = [
      1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585,
    ];
    [shelf.b0, shelf.b1, shelf.b2, shelf.a1, shelf.a2].forEach((value, index) => {
      assert.ok(Math.abs(value - (expected[index] ?? 0)) < 1e-8);
    });
    assert.ok(Math.abs(cut.a1 + 1.99004745483398) < 1e-8);
    assert.ok(Math.abs(cut.a2 - 0.99007225036621) < 1e-8);
  });

  for (const rate of [44_100, 48_000, 96_000]) {
    it(`of a stereo sine of −23 dBFS at ${rate} Hz is −23 LUFS within 0.1 LU (EBU Tech 3341, case 1)`, () => {
      assert.ok(Math.abs(measure([sine(-23, 5, rate)], rate) + 23) < 0.1);
    });
  }

  it('of one full-scale 997 Hz sine in one channel is −3.01 LUFS (BS.1770-4)', () => {
    assert.ok(Math.abs(measure([sine(0, 5, 48_000, 997)], 48_000, 1) + 3.01) < 0.02);
  });

  it('excludes quiet passages (EBU Tech 3341, case 3: −36, −23, −36 dBFS is −23 LUFS)', () => {
    const parts = [sine(-36, 10, 48_000), sine(-23, 60, 48_000), sine(-36, 10, 48_000)];
    assert.ok(Math.abs(measure(parts, 48_000) + 23) < 0.1);
  });

  it('of silence and of empty input is the gate level', () => {
    assert.equal(measure([new Float32Array(48_000)], 48_000), SILENCE_LUFS);
    assert.equal(measure([], 48_000), SILENCE_LUFS);
  });

  it('is measured for less than one block', () => {
    assert.ok(Math.abs(measure([sine(-23, 0.2, 48_000)], 48_000) + 23) < 0.5);
  });

  it('does not depend on the block size', () => {
    const samples = sine(-20, 2, 44_100);
    const cut = Array.from({ length: 100 }, (_, index) => samples.subarray(index * 882, (index + 1) * 882));
    assert.ok(Math.abs(measure(cut, 44_100) - measure([samples], 44_100)) < 1e-9);
  });
});
