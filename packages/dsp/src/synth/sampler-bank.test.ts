import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BANK_LOOP_BEATS, bankSampleNames, renderBankSample } from './sampler-bank.ts';

test('renders eight samples that are audible, below full scale, and the same each time', () => {
  for (const name of bankSampleNames) {
    const { left, right, sampleRateHz } = renderBankSample(name);
    assert.equal(sampleRateHz, 44_100);
    assert.equal(left.length, right.length);
    const peak = Math.max(
      ...[left, right].map((side) => side.reduce((most, x) => Math.max(most, Math.abs(x)), 0)),
    );
    assert.ok(peak > 0.2 && peak <= 1.2, `${name} has a peak of ${peak}`);
    const seconds = left.length / sampleRateHz;
    assert.ok(seconds < 8, `${name} lasts ${seconds} s`);
    const again = renderBankSample(name).left;
    assert.ok(left.every((sample, n) => sample === again[n]));
  }
});

test('the groove lasts exactly four beats of 120 bpm and begins with a beat', () => {
  const { left } = renderBankSample('groove');
  assert.equal(left.length, (BANK_LOOP_BEATS * 44_100) / 2);
  const energy = (from: number) =>
    left.subarray(from, from + 2_205).reduce((total, sample) => total + sample * sample, 0);
  for (let beat = 0; beat < BANK_LOOP_BEATS; beat++) {
    const at = (beat * 44_100) / 2;
    assert.ok(energy(at) > 4 * energy(at + 8_820), `beat ${beat}`);
  }
});
