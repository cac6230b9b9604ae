import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../synth/random.ts';
import { KNOB_HIGHPASS_HZ, KNOB_LOWPASS_HZ, KnobFilter } from './knob-filter.ts';

const RATE_HZ = 44_100;

function gainsDb(position: number, frequencies: readonly number[]): number[] {
  const filter = new KnobFilter(RATE_HZ);
  filter.set(position);
  filter.reset();
  const response = new Float32Array(16_384);
  response[0] = 1;
  filter.process(response, response.slice(), response.length);
  return frequencies.map((hz) => {
    let [re, im] = [0, 0];
    response.forEach((value, n) => {
      re += value * Math.cos((2 * Math.PI * hz * n) / RATE_HZ);
      im -= value * Math.sin((2 * Math.PI * hz * n) / RATE_HZ);
    });
    return 10 * Math.log10(re * re + im * im + 1e-30);
  });
}

function noiseOf(length: number): Float32Array {
  const random = createRandom(5);
  return Float32Array.from({ length }, () => random() - 0.5);
}

/** Returns the largest second difference of audio made of one low tone: a click or a step increases it. */
function steepest(samples: Float32Array, from: number): number {
  let most = 0;
  for (let n = from + 2; n < samples.length; n++) {
    const bend = (samples[n] ?? 0) - 2 * (samples[n - 1] ?? 0) + (samples[n - 2] ?? 0);
    most = Math.max(most, Math.abs(bend));
  }
  return most;
}

describe('single-knob filter', () => {
  it('passes the audio unchanged, sample for sample, at the centre position', () => {
    const filter = new KnobFilter(RATE_HZ);
    const noise = noiseOf(2_048);
    const [left, right] = [noise.slice(), noise.slice()];
    filter.process(left, right, 2_048);
    assert.deepEqual(left, noise);
    assert.deepEqual(right, noise);
  });

  it('passes the audio unchanged again after it returns to the centre', () => {
    const filter = new KnobFilter(RATE_HZ);
    const noise = noiseOf(16_384);
    const left = noise.slice();
    for (let at = 0; at < left.length; at += 128) {
      filter.set(at < 4_096 ? -0.7 : 0);
      filter.process(left.subarray(at, at + 128), new Float32Array(128), 128);
    }
    assert.ok(left.subarray(2_048, 4_096).some((sample, n) => sample !== noise[2_048 + n]));
    assert.deepEqual(left.subarray(10_000), noise.subarray(10_000));
  });

  it('attenuates frequencies above its corner by 24 dB per octave when turned left', () => {
    const [low] = KNOB_LOWPASS_HZ;
    const [far = 0, below = 0, corner = 0, above = 0, higher = 0] = gainsDb(-1, [
      low / 4,
      low / 2,
      low,
      low * 4,
      low * 8,
    ]);
    assert.ok(Math.abs(far) < 0.5 && Math.abs(below) < 3);
    assert.ok(Math.abs(corner) < 1, `${corner} dB at the corner`);
    assert.ok(above < -45, `${above} dB two octaves above`);
    assert.ok(Math.abs(above - higher - 24) < 1);
  });

  it('attenuates frequencies below its corner when turned right', () => {
    const [, high] = KNOB_HIGHPASS_HZ;
    const [below = 0, corner = 0, above = 0] = gainsDb(1, [high / 4, high, 2 * high]);
    assert.ok(below < -45, `${below} dB two octaves below`);
    assert.ok(Math.abs(corner) < 1, `${corner} dB at the corner`);
    assert.ok(Math.abs(above) < 3, `${above} dB an octave above`);
  });

  it('has a resonance peak of less than 3 dB at every position', () => {
    const frequencies = Array.from({ length: 110 }, (_, index) => 20 * 2 ** (index / 11));
    for (const position of [-1, -0.6, -0.2, 0.2, 0.6, 1]) {
      const most = Math.max(...gainsDb(position, frequencies));
      assert.ok(most > 0.5 && most < 3, `${most} dB at ${position}`);
    }
  });

  it('changes the level by less than 1 dB next to the centre', () => {
    for (const gain of gainsDb(-0.02, [30, 1_000, 10_000])) assert.ok(Math.abs(gain) < 1, `${gain} dB`);
    for (const gain of gainsDb(0.02, [60, 1_000, 10_000])) assert.ok(Math.abs(gain) < 1, `${gain} dB`);
  });

  it('does not click when swept, jumped across the centre or switched', () => {
    const tone = Float32Array.from(
      { length: 44_100 },
      (_, n) => 0.5 * Math.sin((2 * Math.PI * 200 * n) / RATE_HZ),
    );
    const still = steepest(tone, 0);
    const moves: readonly ((block: number) => number)[] = [
      (block) => (block < 100 ? 0 : -0.9),
      (block) => (block < 100 ? -0.6 : 0.6),
      (block) => (block % 40 < 20 ? 0.7 : -0.7),
      (block) => Math.max(-1, -block / 200),
    ];
    for (const [number, move] of moves.entries()) {
      const filter = new KnobFilter(RATE_HZ);
      const left = tone.slice();
      for (let at = 0; at + 128 <= left.length; at += 128) {
        filter.set(move(at / 128));
        filter.process(left.subarray(at, at + 128), new Float32Array(128), 128);
      }
      const bend = steepest(left.subarray(0, 44_032), 0);
      assert.ok(bend < 3 * still, `move ${number}: ${bend / still} times as steep as the tone`);
    }
  });
});
