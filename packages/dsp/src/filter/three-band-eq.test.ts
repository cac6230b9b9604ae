import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../synth/random.ts';
import { EQ_HIGH_HZ, EQ_LOW_HZ } from './crossover.ts';
import { MOST_EQ_GAIN, ThreeBandEq } from './three-band-eq.ts';

const RATE_HZ = 44_100;
/** Samples until an impulse response has decayed to −100 dB. */
const LENGTH = 32_768;

type Gains = readonly [low: number, mid: number, high: number];

function responseOf(gains: Gains, rateHz = RATE_HZ): Float32Array {
  const eq = new ThreeBandEq(rateHz);
  eq.set(...gains);
  eq.reset();
  const left = new Float32Array(LENGTH);
  left[0] = 1;
  eq.process(left, new Float32Array(LENGTH), LENGTH);
  return left;
}

function gainDb(response: Float32Array, hz: number, rateHz = RATE_HZ): number {
  let [re, im] = [0, 0];
  response.forEach((value, n) => {
    re += value * Math.cos((2 * Math.PI * hz * n) / rateHz);
    im -= value * Math.sin((2 * Math.PI * hz * n) / rateHz);
  });
  return 10 * Math.log10(re * re + im * im);
}

const frequencies = Array.from({ length: 120 }, (_, index) => 20 * 2 ** (index / 12.1)).filter(
  (hz) => hz < 20_000,
);

describe('three-band equaliser', () => {
  for (const rateHz of [44_100, 48_000]) {
    it(`is flat within 0.1 dB with all bands at 0 dB, at ${rateHz} Hz`, () => {
      const response = responseOf([1, 1, 1], rateHz);
      for (const hz of frequencies) {
        assert.ok(
          Math.abs(gainDb(response, hz, rateHz)) < 0.1,
          `${gainDb(response, hz, rateHz)} at ${hz} Hz`,
        );
      }
    });
  }

  it('crosses over at 246 Hz and 2,484 Hz, where each band is at −6 dB', () => {
    const cases: readonly (readonly [Gains, number])[] = [
      [[1, 0, 0], EQ_LOW_HZ],
      [[0, 1, 1], EQ_LOW_HZ],
      [[1, 1, 0], EQ_HIGH_HZ],
      [[0, 0, 1], EQ_HIGH_HZ],
    ];
    for (const [gains, hz] of cases) {
      const level = gainDb(responseOf(gains), hz);
      assert.ok(Math.abs(level + 6.02) < 0.1, `${gains.join()}: ${level} dB at ${hz} Hz`);
    }
  });

  it('attenuates a killed band by more than 60 dB at its centre', () => {
    const cases: readonly (readonly [Gains, readonly number[]])[] = [
      [
        [0, 1, 1],
        [20, 40, 70, 100],
      ],
      [
        [1, 0, 1],
        [700, 782, 870],
      ],
      [
        [1, 1, 0],
        [6_000, 7_000, 10_000, 16_000],
      ],
    ];
    for (const [gains, middles] of cases) {
      const response = responseOf(gains);
      for (const hz of middles) {
        assert.ok(gainDb(response, hz) < -60, `${gains.join()}: ${gainDb(response, hz)} dB at ${hz} Hz`);
      }
    }
  });

  it('raises a band by at most 6 dB and leaves the other bands unchanged', () => {
    const raised = responseOf([5, 1, 1]);
    assert.ok(Math.abs(gainDb(raised, 60) - 6) < 0.05);
    assert.ok(Math.abs(gainDb(raised, 900)) < 0.1);
    assert.ok(Math.abs(gainDb(raised, 9_000)) < 0.05);
    const middle = responseOf([1, MOST_EQ_GAIN, 1]);
    assert.ok(Math.abs(gainDb(middle, 780) - 6) < 0.1);
  });

  it('is silent with all bands killed', () => {
    const eq = new ThreeBandEq(RATE_HZ);
    eq.set(0, 0, 0);
    eq.reset();
    const random = createRandom(1);
    const noise = Float32Array.from({ length: 4_096 }, () => random() - 0.5);
    eq.process(noise, noise.slice(), 4_096);
    assert.ok(noise.every((sample) => sample === 0));
  });

  it('changes gains without a click: a 100 Hz tone stays below −80 dB at 5 kHz and above', () => {
    const eq = new ThreeBandEq(RATE_HZ);
    const tone = Float32Array.from(
      { length: 22_050 },
      (_, n) => 0.5 * Math.sin((2 * Math.PI * 100 * n) / RATE_HZ),
    );
    const right = tone.slice();
    for (let at = 0; at < tone.length; at += 126) {
      if (at === 11_025 - 63) eq.set(0, 1, 1);
      if (at === 126 * 120) eq.set(MOST_EQ_GAIN, 1, 1);
      eq.process(tone.subarray(at, at + 126), right.subarray(at, at + 126), 126);
    }
    let highest = 0;
    for (let from = 4_410; from + 2_048 < tone.length; from += 512) {
      for (const hz of [5_000, 8_000, 12_000]) {
        let [re, im] = [0, 0];
        for (let n = 0; n < 2_048; n++) {
          const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / 2_048);
          re += window * (tone[from + n] ?? 0) * Math.cos((2 * Math.PI * hz * n) / RATE_HZ);
          im += window * (tone[from + n] ?? 0) * Math.sin((2 * Math.PI * hz * n) / RATE_HZ);
        }
        highest = Math.max(highest, Math.hypot(re, im) / 256);
      }
    }
    assert.ok(20 * Math.log10(highest) < -80, `${20 * Math.log10(highest)} dB`);
  });

  it('processes both channels equally, without crosstalk', () => {
    const eq = new ThreeBandEq(RATE_HZ);
    eq.set(0.3, 1.2, 0);
    const random = createRandom(2);
    const left = Float32Array.from({ length: 4_096 }, () => random() - 0.5);
    const right = left.map((sample) => -sample);
    eq.process(left, right, 4_096);
    assert.ok(left.every((sample, n) => sample === -(right[n] ?? 0)));
    const one = new ThreeBandEq(RATE_HZ);
    const silent = new Float32Array(4_096);
    one.process(left.slice(), silent, 4_096);
    assert.ok(silent.every((sample) => sample === 0));
  });
});
