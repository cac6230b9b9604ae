import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { joinSamples } from '../testing/audio-file.ts';
import { fitTone } from '../testing/tone-residual.ts';
import { createResampler, type ResamplerOptions } from './resample.ts';

const PAIRS = [
  [96000, 44100],
  [22050, 44100],
  [48000, 44100],
  [44100, 48000],
  [44100, 22050],
  [44100, 44101],
] as const;

function resample(
  samples: Float32Array,
  options: Omit<ResamplerOptions, 'channels'>,
  blockSamples = 4096,
): Float32Array {
  const resampler = createResampler({ ...options, channels: 1 });
  const parts: Float32Array[] = [];
  for (let from = 0; from < samples.length; from += blockSamples) {
    parts.push(...resampler.process([samples.subarray(from, from + blockSamples)]));
  }
  parts.push(...resampler.flush());
  return joinSamples(parts);
}

const tone = (hz: number, rate: number, length = rate / 2) =>
  Float32Array.from({ length }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / rate + 0.3));

/** Fits {@link tone} to the middle of the output: level in dB, delay in radians, and the residual. */
function fitMiddle(samples: Float32Array, hz: number, rate: number) {
  const { amplitude, phase, residualDb } = fitTone(samples, hz, rate, Math.floor(samples.length * 0.2));
  return { gainDb: 20 * Math.log10(amplitude / 0.5), delay: phase - 0.3, restDb: residualDb };
}

function levelDb(samples: Float32Array): number {
  const middle = samples.subarray(Math.floor(samples.length * 0.2), Math.floor(samples.length * 0.8));
  return 10 * Math.log10(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length / 0.125);
}

for (const [fromRate, toRate] of PAIRS) {
  const lower = Math.min(fromRate, toRate);

  test(`keeps level and time of tones from ${fromRate} to ${toRate} Hz, with distortion below −140 dB`, () => {
    for (const fraction of [0.02, 0.2, 0.45]) {
      const hz = fraction * lower;
      const fit = fitMiddle(resample(tone(hz, fromRate), { fromRate, toRate }), hz, toRate);
      assert.ok(Math.abs(fit.gainDb) < 0.001, `${hz} Hz: ${fit.gainDb} dB`);
      assert.ok(Math.abs(fit.delay) < 1e-6, `${hz} Hz: ${fit.delay} rad`);
      assert.ok(fit.restDb < -140, `${hz} Hz: ${fit.restDb} dB`);
    }
  });

  if (fromRate > toRate) {
    test(`attenuates frequencies above the lower Nyquist frequency by 130 dB from ${fromRate} to ${toRate} Hz`, () => {
      for (const fraction of [0.505, 0.52, 0.7, 1]) {
        const hz = fraction * toRate;
        if (hz >= fromRate / 2) continue;
        const level = levelDb(resample(tone(hz, fromRate), { fromRate, toRate }));
        assert.ok(level < -130, `${hz} Hz: ${level} dB`);
      }
    });
  }
}

test('keeps distortion below −120 dB at fast quality and aliases only near the band edge', () => {
  for (const fraction of [0.1, 0.4, 0.45]) {
    const fit = fitMiddle(
      resample(tone(fraction * 44100, 44100), { fromRate: 44100, toRate: 48000, quality: 'fast' }),
      fraction * 44100,
      48000,
    );
    assert.ok(fit.restDb < -120 && Math.abs(fit.gainDb) < 0.001, `${fraction}: ${fit.restDb} dB`);
  }
  const folded = resample(tone(0.56 * 44100, 96000), { fromRate: 96000, toRate: 44100, quality: 'fast' });
  assert.ok(levelDb(folded) < -120, `${levelDb(folded)} dB`);
});

test('keeps a constant exactly constant', () => {
  const samples = resample(new Float32Array(10_000).fill(0.75), { fromRate: 44100, toRate: 48000 });
  assert.ok(samples.subarray(1000, -1000).every((sample) => sample === 0.75));
});

test('returns round(n · to / from) samples regardless of block lengths', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PAIRS, [8000, 192000] as const, [192000, 8000] as const, [44100, 44100] as const),
      fc.nat(3000),
      fc.integer({ min: 1, max: 700 }),
      ([fromRate, toRate], length, blockSamples) => {
        const samples = Float32Array.from({ length }, (_, n) => Math.sin(n * n * 0.001));
        const whole = resample(samples, { fromRate, toRate }, 100_000);
        assert.equal(whole.length, Math.round((length * toRate) / fromRate));
        assert.deepEqual(resample(samples, { fromRate, toRate }, blockSamples), whole);
      },
    ),
    { numRuns: 40, seed: 7 },
  );
});

test('restores the audio after a round trip', () => {
  const samples = tone(5000, 44100, 20_000);
  const back = resample(resample(samples, { fromRate: 44100, toRate: 96000 }), {
    fromRate: 96000,
    toRate: 44100,
  });
  assert.equal(back.length, samples.length);
  const worst = samples
    .subarray(500, -500)
    .reduce((max, sample, n) => Math.max(max, Math.abs(sample - (back[n + 500] ?? 9))), 0);
  assert.ok(worst < 1e-6, `${worst}`);
});

test('keeps audio channels separate', () => {
  const resampler = createResampler({ fromRate: 44100, toRate: 48000, channels: 3 });
  const block = [tone(440, 44100, 4410), new Float32Array(4410), tone(880, 44100, 4410)];
  const output = resampler.process(block);
  assert.ok(output[1]?.every((sample) => sample === 0));
  assert.deepEqual(
    joinSamples([output[2] ?? new Float32Array(0), resampler.flush()[2] ?? new Float32Array(0)]),
    resample(tone(880, 44100, 4410), { fromRate: 44100, toRate: 48000 }),
  );
});

test('rejects a fractional rate and a block of another shape', () => {
  assert.throws(() => createResampler({ fromRate: 0, toRate: 44100, channels: 1 }), /got 0\)/);
  assert.throws(() => createResampler({ fromRate: 44100.5, toRate: 44100, channels: 1 }), /got 44100.5\)/);
  const resampler = createResampler({ fromRate: 48000, toRate: 44100, channels: 2 });
  assert.throws(() => resampler.process([new Float32Array(3)]), /got lengths 3\)/);
});
