import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { StereoReader } from '../signal/stereo-reader.ts';
import { createRandom } from '../synth/random.ts';
import { KeyLock } from './key-lock.ts';

const RATE_HZ = 44_100;
type Side = (frame: number) => number;

function songOf(left: Side, right: Side = left): StereoReader {
  return {
    read(from, leftSide, rightSide, frames) {
      for (let n = 0; n < frames; n++) {
        leftSide[n] = left(from + n);
        rightSide[n] = right(from + n);
      }
    },
  };
}

function tone(hz: number, gain = 0.5): Side {
  return (frame) => gain * Math.sin((2 * Math.PI * hz * frame) / RATE_HZ);
}

interface Output {
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly lock: KeyLock;
}

function play(song: StereoReader, rate: number, semitones: number, frames: number, from = 0): Output {
  const lock = new KeyLock(RATE_HZ);
  lock.reset(from);
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  for (let at = 0; at < frames; at += 128) {
    const count = Math.min(128, frames - at);
    lock.process(song, rate, semitones, left.subarray(at, at + count), right.subarray(at, at + count), count);
  }
  return { left, right, lock };
}

/** Returns the frequency of the only tone in a range, from the phase advance over a known time. */
function frequencyOf(samples: Float32Array, nearHz: number, from: number): number {
  const length = 8_192;
  const phaseAt = (start: number): number => {
    let [re, im] = [0, 0];
    for (let n = 0; n < length; n++) {
      const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / length);
      const angle = (2 * Math.PI * nearHz * (start + n)) / RATE_HZ;
      re += window * (samples[start + n] ?? 0) * Math.cos(angle);
      im -= window * (samples[start + n] ?? 0) * Math.sin(angle);
    }
    return Math.atan2(im, re);
  };
  // Steps are short, so that the phase is not ambiguous.
  const hop = 1_024;
  let turned = 0;
  const hops = 12;
  for (let index = 0; index < hops; index++) {
    let gap = phaseAt(from + (index + 1) * hop) - phaseAt(from + index * hop);
    gap -= 2 * Math.PI * Math.round(gap / (2 * Math.PI));
    turned += gap;
  }
  return nearHz + (turned * RATE_HZ) / (2 * Math.PI * hops * hop);
}

function energyOf(samples: Float32Array, from: number, to: number): number {
  let energy = 0;
  for (let n = Math.max(0, from); n < to; n++) energy += (samples[n] ?? 0) ** 2;
  return energy;
}

/** Returns drum-stick clicks: bursts of noise that decay within 5 ms. */
function clicks(positions: readonly number[]): Side {
  const random = createRandom(3);
  const burst = Array.from({ length: 1_000 }, (_, n) => 1.2 * (random() - 0.5) * Math.exp(-n / 220));
  const samples = new Float32Array(130_000);
  for (const position of positions) samples.set(burst, position);
  return (frame) => samples[frame] ?? 0;
}

describe('key lock', () => {
  for (const rate of [0.5, 0.8, 0.92, 1.08, 1.25, 1.5]) {
    it(`keeps the pitch of tones within 3 cents at rate ${rate}`, () => {
      for (const hz of [60, 82.4, 110, 261.6, 440, 1_000, 2_637, 3_500, 5_000, 8_000]) {
        const { left } = play(songOf(tone(hz)), rate, 0, 60_000);
        const cents = 1_200 * Math.log2(frequencyOf(left, hz, 12_000) / hz);
        assert.ok(Math.abs(cents) < 3, `${hz} Hz is ${cents} cents off`);
        const level = 10 * Math.log10(energyOf(left, 12_000, 56_100) / 44_100 / 0.125);
        assert.ok(Math.abs(level) < 0.5, `${hz} Hz is ${level} dB off`);
      }
    });
  }

  for (const semitones of [-12, -5, 1, 7, 12]) {
    it(`shifts the pitch by ${semitones} semitones within 3 cents, at any tempo`, () => {
      for (const rate of [0.92, 1, 1.08]) {
        for (const hz of [110, 440, 3_000]) {
          const { left } = play(songOf(tone(hz)), rate, semitones, 60_000);
          const wanted = hz * 2 ** (semitones / 12);
          const cents = 1_200 * Math.log2(frequencyOf(left, wanted, 12_000) / wanted);
          assert.ok(Math.abs(cents) < 3, `${hz} Hz at ${rate} is ${cents} cents off`);
        }
      }
    });
  }

  it('reproduces the song at its recorded tempo and key with an error 110 dB below the signal', () => {
    const random = createRandom(9);
    const noise = Float32Array.from({ length: 70_000 }, () => random() - 0.5);
    const song = songOf(
      (frame) => noise[frame] ?? 0,
      (frame) => noise[69_999 - frame] ?? 0,
    );
    const { left, right } = play(song, 1, 0, 50_000, 10_000);
    const ratioDb = (from: number, to: number): number => {
      let [error, signal] = [0, 0];
      for (let n = from; n < to; n++) {
        error += ((left[n] ?? 0) - (noise[10_000 + n] ?? 0)) ** 2;
        error += ((right[n] ?? 0) - (noise[59_999 - n] ?? 0)) ** 2;
        signal += (left[n] ?? 0) ** 2 + (right[n] ?? 0) ** 2;
      }
      return 10 * Math.log10(signal / error);
    };
    assert.ok(ratioDb(4_096, 50_000) > 110, `${ratioDb(4_096, 50_000)} dB`);
    // At its beginning the output cross-fades from the unprocessed song to the bands.
    assert.ok(ratioDb(0, 4_096) > 55, `${ratioDb(0, 4_096)} dB`);
  });

  it('keeps the position given by the rate, to the sample, during any tempo and pitch changes', () => {
    const lock = new KeyLock(RATE_HZ);
    lock.reset(1_000.25);
    const out = new Float32Array(128);
    const random = createRandom(4);
    let wanted = 1_000.25;
    for (let block = 0; block < 400; block++) {
      const rate = 4.5 * random() - 0.5;
      lock.process(songOf(tone(200)), rate, 24 * random() - 12, out, out.slice(), 128);
      wanted += 128 * rate;
      assert.ok(Math.abs(lock.position - wanted) < 1e-6);
    }
  });

  for (const rate of [0.8, 0.92, 1.08, 1.25]) {
    it(`keeps transients on the grid within 3 ms at rate ${rate}`, () => {
      const positions = Array.from({ length: 12 }, (_, index) => 20_000 + 9_000 * index + 137 * (index % 5));
      const { left } = play(songOf(clicks(positions)), rate, 0, 100_000);
      for (const position of positions) {
        const wanted = position / rate;
        if (wanted > 95_000) continue;
        const from = Math.floor(wanted) - 2_000;
        let highest = 0;
        for (let n = from; n < from + 4_000; n++) highest = Math.max(highest, Math.abs(left[n] ?? 0));
        let at = from;
        while (Math.abs(left[at] ?? 0) < highest / 4) at++;
        const lateMs = (1_000 * (at - wanted)) / RATE_HZ;
        assert.ok(Math.abs(lateMs) < 3, `${lateMs} ms late`);
      }
    });
  }

  it('keeps transients sharp: the level 10 ms before is 40 dB lower', () => {
    for (const rate of [0.8, 0.92, 1.08, 1.25]) {
      const { left } = play(songOf(clicks([40_000])), rate, 0, 60_000);
      const at = Math.round(40_000 / rate);
      const onset = energyOf(left, at - 50, at + 391);
      const before = energyOf(left, at - 882, at - 441);
      const level = 10 * Math.log10(before / onset + 1e-12);
      assert.ok(level < -40, `${level} dB at ${rate}`);
    }
  });

  it('starts immediately with the requested sample after a seek', () => {
    const song = songOf((frame) => Math.sin(frame * frame * 1e-6) * 0.5);
    for (const rate of [0.9, 1.1]) {
      const { left } = play(song, rate, 0, 512, 30_000);
      for (let n = 0; n < 256; n++) {
        const wanted = Math.sin((30_000 + n) ** 2 * 1e-6) * 0.5;
        assert.ok(Math.abs((left[n] ?? 0) - wanted) < 2e-3, `sample ${n} at ${rate}`);
      }
    }
  });

  it('keeps the stereo image of one-sided and centred sources', () => {
    const oneSide = play(
      songOf(tone(700), () => 0),
      0.9,
      3,
      40_000,
    );
    const leak = energyOf(oneSide.right, 8_000, 40_000) / energyOf(oneSide.left, 8_000, 40_000);
    assert.ok(10 * Math.log10(leak + 1e-20) < -80, `${10 * Math.log10(leak)} dB`);
    const random = createRandom(6);
    const noise = Float32Array.from({ length: 60_000 }, () => random() - 0.5);
    const middle = play(
      songOf((frame) => noise[frame] ?? 0),
      1.1,
      0,
      40_000,
    );
    assert.ok(middle.left.every((sample, n) => sample === middle.right[n]));
  });

  it('returns exact silence for silence, also after audio', () => {
    const song = songOf((frame) => (frame < 20_000 ? Math.sin(frame * 0.1) * 0.5 : 0));
    const { left, right } = play(song, 1.2, 2, 40_000);
    assert.ok(left.subarray(24_000).every((sample) => sample === 0));
    assert.ok(right.subarray(24_000).every((sample) => sample === 0));
  });

  it('returns finite, bounded samples at any tempo: stopped, backwards, four times', () => {
    const random = createRandom(8);
    const noise = Float32Array.from({ length: 4_096 }, () => random() - 0.5);
    const song = songOf(
      (frame) => noise[frame & 4_095] ?? 0,
      (frame) => (frame % 9_000 === 0 ? 1 : 0),
    );
    for (const rate of [0, -1, -0.3, 0.01, 4]) {
      for (const semitones of [-24, 0, 24]) {
        const { left, right } = play(song, rate, semitones, 20_000, 90_000);
        for (const side of [left, right]) {
          assert.ok(
            side.every((sample) => Number.isFinite(sample) && Math.abs(sample) < 4),
            `at ${rate}, ${semitones}`,
          );
        }
      }
    }
  });

  it('does not click when the caller cross-fades between two positions', () => {
    // The old position continues in a key lock of its own while the new one begins.
    const song = songOf(tone(300));
    const before = play(song, 0.95, 0, 12_288, 0);
    const fading = new Float32Array(512);
    const rest = new Float32Array(512);
    for (let at = 0; at < 512; at += 128) {
      before.lock.process(song, 0.95, 0, rest.subarray(at, at + 128), new Float32Array(128), 128);
    }
    const after = play(song, 0.95, 0, 512, 5_011);
    for (let n = 0; n < 512; n++) {
      fading[n] = (rest[n] ?? 0) * (1 - n / 512) + (after.left[n] ?? 0) * (n / 512);
    }
    const joined = Float32Array.of(...before.left.subarray(-512), ...fading);
    const steepest = joined.reduce(
      (most, sample, n) => Math.max(most, n === 0 ? 0 : Math.abs(sample - (joined[n - 1] ?? 0))),
      0,
    );
    // A tone of 300 Hz at 0.5 moves by 0.0214 from one sample to the next.
    assert.ok(steepest < 0.03, `step of ${steepest}`);
  });

  it('plays a song of another sample rate at its own tempo and pitch', () => {
    const lock = new KeyLock(48_000, { sourceRateHz: 44_100 });
    lock.reset(0);
    const left = new Float32Array(60_000);
    for (let at = 0; at + 128 <= left.length; at += 128) {
      lock.process(
        songOf(tone(1_000)),
        0.9 * (44_100 / 48_000),
        0,
        left.subarray(at, at + 128),
        new Float32Array(128),
        128,
      );
    }
    // A tone of 1,000 Hz at 48 kHz appears as 918.75 Hz at 44.1 kHz.
    const hz = (frequencyOf(left, 918.75, 12_000) * 48_000) / 44_100;
    assert.ok(Math.abs(1_200 * Math.log2(hz / 1_000)) < 3, `${hz} Hz`);
  });

  it('allocates no array while it plays, jumps and follows onsets', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const song = songOf(clicks(Array.from({ length: 14 }, (_, index) => 4_000 + 9_000 * index)));
    const lock = new KeyLock(RATE_HZ);
    const [left, right] = [new Float32Array(128), new Float32Array(128)];
    const playBlocks = (blocks: number): void => {
      for (let block = 0; block < blocks; block++) {
        if (block % 250 === 0) lock.reset(block);
        lock.process(song, 0.93, block % 500 < 250 ? 0 : 2, left, right, 128);
      }
    };
    playBlocks(3_000);
    // Arrays are freed by another thread after a collection; the second one waits until those of the first are.
    collect();
    collect();
    const before = process.memoryUsage();
    // Few enough blocks that no garbage is collected in between: numbers boxed between functions take up to 9 kB a block.
    playBlocks(500);
    const after = process.memoryUsage();
    assert.equal(after.arrayBuffers - before.arrayBuffers, 0, 'bytes of typed arrays');
    // An array of numbers for the spectrum of one frame takes 32 kB.
    const bytes = (after.heapUsed - before.heapUsed) / 500;
    assert.ok(bytes < 16_000, `${bytes} bytes a block`);
  });
});
