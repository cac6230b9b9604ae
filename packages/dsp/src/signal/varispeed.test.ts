import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../synth/random.ts';
import { fitTone } from '../testing/tone-residual.ts';
import type { StereoReader } from './stereo-reader.ts';
import { Varispeed } from './varispeed.ts';

const RATE_HZ = 44_100;

function songOf(sample: (frame: number) => number): StereoReader {
  return {
    read(from, left, right, frames) {
      for (let n = 0; n < frames; n++) {
        left[n] = sample(from + n);
        right[n] = -sample(from + n);
      }
    },
  };
}

function play(song: StereoReader, from: number, rate: number, frames: number): Float32Array {
  const varispeed = new Varispeed();
  const left = new Float32Array(frames);
  let position = from;
  for (let at = 0; at + 128 <= frames; at += 128) {
    const side = left.subarray(at, at + 128);
    position = varispeed.process(song, position, rate, rate, side, new Float32Array(128), 128);
  }
  return left;
}

/** Returns the level of everything except the tone, relative to it, in dB. */
const restDb = (samples: Float32Array, hz: number) => fitTone(samples, hz, RATE_HZ, 256).residualDb;

function levelDb(samples: Float32Array): number {
  const middle = samples.subarray(256, -256);
  return 10 * Math.log10(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length / 0.125);
}

const tone = (hz: number): StereoReader =>
  songOf((frame) => 0.5 * Math.sin((2 * Math.PI * hz * frame) / RATE_HZ));

describe('varispeed playback', () => {
  it('returns the song sample for sample at rate 1', () => {
    const random = createRandom(1);
    const noise = Float32Array.from({ length: 4_096 }, () => random() - 0.5);
    const out = play(
      songOf((frame) => noise[frame] ?? 0),
      100,
      1,
      2_048,
    );
    assert.ok(out.every((sample, n) => sample === noise[100 + n]));
  });

  for (const rate of [0.5, 0.84, 1, 1.16, 2, -1, -0.7]) {
    it(`keeps a tone clean at rate ${rate}: all other components are below −75 dB`, () => {
      for (const hz of [100, 1_000, 5_000, 8_000]) {
        const outputHz = Math.abs(hz * rate);
        if (outputHz > 15_000) continue;
        const out = play(tone(hz), 20_000.3, rate, 8_192);
        assert.ok(restDb(out, outputHz) < -75, `${hz} Hz: ${restDb(out, outputHz)} dB`);
        assert.ok(Math.abs(levelDb(out)) < 0.3, `${hz} Hz: ${levelDb(out)} dB`);
      }
    });
  }

  for (const rate of [2, 4, 8]) {
    it(`removes frequencies above the Nyquist limit at rate ${rate} without aliasing`, () => {
      for (const outputHz of [28_000, 33_000, 44_000]) {
        const hz = outputHz / rate;
        const out = play(tone(hz), 20_000.3, rate, 8_192);
        assert.ok(levelDb(out) < -65, `${hz} Hz: ${levelDb(out)} dB`);
      }
    });
  }

  it('changes the rate linearly within a block, and returns the position it reached', () => {
    const varispeed = new Varispeed();
    const ramp = songOf((frame) => frame / 1e5);
    const left = new Float32Array(128);
    const end = varispeed.process(ramp, 5_000, 1, -3, left, new Float32Array(128), 128);
    let position = 5_000;
    for (let n = 0; n < 128; n++) {
      assert.ok(Math.abs((left[n] ?? 0) - position / 1e5) < 1e-5, `sample ${n}`);
      position += 1 - (4 * n) / 128;
    }
    assert.ok(Math.abs(end - position) < 1e-9);
  });

  it('holds the value of the current position at rate 0', () => {
    const out = play(tone(500), 3_000.25, 0, 256);
    const wanted = 0.5 * Math.sin((2 * Math.PI * 500 * 3_000.25) / RATE_HZ);
    assert.ok(out.every((sample) => Math.abs(sample - wanted) < 1e-4));
  });

  it('keeps both channels separate', () => {
    const varispeed = new Varispeed();
    const [left, right] = [new Float32Array(128), new Float32Array(128)];
    varispeed.process(tone(700), 1_000, 1.3, 1.3, left, right, 128);
    assert.ok(left.every((sample, n) => sample === -(right[n] ?? 0)));
  });

  it('plays blocks of 4,096 samples at rates from −16 to 16', () => {
    const varispeed = new Varispeed();
    for (const rate of [16, -16, 8, 0.01]) {
      const left = new Float32Array(4_096);
      const end = varispeed.process(tone(50), 0, rate, rate, left, left.slice(), 4_096);
      assert.ok(Math.abs(end - 4_096 * rate) < 1e-6);
      assert.ok(left.every((sample) => Math.abs(sample) <= 0.6));
    }
  });
});
