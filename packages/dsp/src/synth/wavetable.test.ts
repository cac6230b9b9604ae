import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE_RATE_HZ } from './stereo-samples.ts';
import { sineOf, TableOscillator, waveTable } from './wavetable.ts';

test('keeps a saw free of aliasing between its partials', () => {
  // The partials of this pitch would alias to frequencies between its partials.
  const hz = 1234;
  const oscillator = new TableOscillator(waveTable('saw', hz));
  const length = 44_100;
  const samples = Float64Array.from({ length }, () => oscillator.next(hz));
  const power = (at: number): number => {
    let real = 0;
    let imaginary = 0;
    samples.forEach((sample, index) => {
      const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / length);
      const angle = (2 * Math.PI * at * index) / SAMPLE_RATE_HZ;
      real += window * sample * Math.cos(angle);
      imaginary += window * sample * Math.sin(angle);
    });
    return 20 * Math.log10(Math.hypot(real, imaginary) / length + 1e-12);
  };
  const fundamental = power(hz);
  // Frequencies to which partials 18 to 25 of a naive saw would alias.
  for (let partial = 18; partial <= 25; partial++) {
    const folded = Math.abs(SAMPLE_RATE_HZ - partial * hz);
    if (Math.abs(folded / hz - Math.round(folded / hz)) < 0.02) continue;
    assert.ok(power(folded) < fundamental - 75, `${power(folded) - fundamental} dB at ${folded} Hz`);
  }
});

test('keeps the sine table within 2e-6 of the sine', () => {
  for (let index = 0; index < 1000; index++) {
    const cycles = index * 0.01237;
    assert.ok(Math.abs(sineOf(cycles) - Math.sin(2 * Math.PI * cycles)) < 2e-6);
  }
});
