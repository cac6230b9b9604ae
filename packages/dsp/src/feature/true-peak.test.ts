import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTruePeakMeter, SILENCE_TRUE_PEAK_DB } from './true-peak.ts';

function measure(samples: Float32Array, block = samples.length): number {
  const meter = createTruePeakMeter(1);
  for (let at = 0; at < samples.length; at += block) meter.push([samples.subarray(at, at + block)]);
  return meter.finish();
}

/** A sine at a quarter of the rate, shifted by an eighth of a cycle, so that no sample is at its peak. */
const missed = Float32Array.from(
  { length: 4_800 },
  (_, n) => 0.5 * Math.sin((Math.PI / 2) * n + Math.PI / 4),
);

describe('true peak', () => {
  it('of a sine at a quarter of the rate lies between its samples (EBU Tech 3341, case 16: −6.0 +0.2 −0.4 dB)', () => {
    const faded = missed.map((value, n) => value * Math.min(1, n / 480, (missed.length - n) / 480));
    const found = measure(faded);
    assert.ok(found < -6.02 + 0.2 && found > -6.02 - 0.4, `${found} dB`);
  });

  it('is at least the largest sample', () => {
    assert.ok(Math.abs(measure(Float32Array.of(0, 0, 1, 0, 0))) < 1e-6);
  });

  it('equals the maximum of the fully filtered signal although quiet blocks are skipped', () => {
    let state = 3;
    const noise = Float32Array.from({ length: 3_000 }, (_, n) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state / 2 ** 31 - 1) * (n % 500 < 40 ? 1 : 0.2);
    });
    // Each piece is measured alone, with the silence around it that the filter needs, so that no louder audio precedes
    // it.
    const pieces = Array.from({ length: 3_012 }, (_, end) => {
      const piece = new Float32Array(12);
      for (let at = 0; at < 12; at++) piece[at] = noise[end - 11 + at] ?? 0;
      return piece;
    });
    const taps = [
      -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625,
      0.77978515625, -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
    ];
    const outer = [
      0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625,
      0.97216796875, -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
    ];
    let expected = 0;
    for (const piece of pieces) {
      for (const phase of [taps, taps.toReversed(), outer, outer.toReversed()]) {
        const value = phase.reduce((sum, tap, at) => sum + tap * (piece[11 - at] ?? 0), 0);
        expected = Math.max(expected, Math.abs(value), Math.abs(piece[11] ?? 0));
      }
    }
    assert.ok(Math.abs(measure(noise) - 20 * Math.log10(expected)) < 1e-9);
  });

  it('does not depend on the block size', () => {
    assert.equal(measure(missed, 7), measure(missed));
  });

  it('of silence and of empty input is −100 dB', () => {
    assert.equal(measure(new Float32Array(5_000)), SILENCE_TRUE_PEAK_DB);
    assert.equal(measure(new Float32Array(0)), SILENCE_TRUE_PEAK_DB);
  });
});
