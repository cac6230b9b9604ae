import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createChromaSums } from '../tonal/chroma-sums.ts';
import { loadFft } from '../transform/fft.ts';
import { barFeatureNames } from './bar-path.ts';
import { beatHypotheses, hypothesisFeatureNames } from './beat-hypotheses.ts';
import { createBeatNetworkKernel, loadBeatNetwork } from './beat-network.ts';
import { decodeRhythm } from './decoded-rhythm.ts';
import { frameFeatureNames } from './frame-gains.ts';
import { ONSET_SAMPLE_RATE as RATE } from './onset-envelope.ts';
import { createOnsetKernel } from './onset-strength.ts';
import type { Rhythm } from './rhythm.ts';
import { type RhythmEvidence, rhythmEvidence } from './rhythm-evidence.ts';
import { rhythmWeights } from './rhythm-weights.ts';

function evidenceOf(samples: Float32Array): RhythmEvidence {
  const onsets = createOnsetKernel();
  const network = createBeatNetworkKernel();
  for (const kernel of [onsets, network]) kernel.push(samples);
  const evidence = rhythmEvidence(
    onsets.finish(),
    network.finish(),
    samples.length / RATE,
    createChromaSums([]),
  );
  for (const kernel of [onsets, network]) kernel.dispose();
  return evidence;
}

const decode = (samples: Float32Array): Rhythm => decodeRhythm(evidenceOf(samples), rhythmWeights);

/** Returns 30 s of bass drum, snare drum and hi-hat in bars of four beats; `timeOf` returns the seconds of a beat. */
function drums(timeOf: (beat: number) => number): { samples: Float32Array; beats: number[] } {
  const samples = new Float32Array(30 * RATE);
  const beats: number[] = [];
  const strike = (seconds: number, hz: number, level: number, decaySeconds: number): void => {
    const start = Math.round(seconds * RATE);
    for (let at = 0; at < 6 * decaySeconds * RATE && start + at < samples.length; at++) {
      const noise = (Math.imul(start + at, 2_654_435_761) >>> 0) / 2 ** 31 - 1;
      const wave = hz === 0 ? noise : Math.sin((2 * Math.PI * hz * at) / RATE);
      samples[start + at] = (samples[start + at] ?? 0) + level * wave * Math.exp(-at / RATE / decaySeconds);
    }
  };
  for (let beat = 0; timeOf(beat) < 29.5; beat++) {
    const time = timeOf(beat);
    beats.push(time);
    if (beat % 2 === 0) strike(time, 55, 0.8, 0.08);
    else strike(time, 0, 0.5, 0.05);
    for (const part of [0, 0.5]) strike(time + part * (timeOf(beat + 1) - time), 0, 0.12, 0.015);
  }
  return { samples, beats };
}

function assertMet(beats: readonly number[], rhythm: Rhythm, toleranceSeconds: number): void {
  const met = beats.filter((beat) => rhythm.beats.some((found) => Math.abs(found - beat) < toleranceSeconds));
  assert.ok(met.length >= 0.95 * beats.length, `${met.length} of ${beats.length} at ${rhythm.bpm} bpm`);
}

describe('decoded rhythm', () => {
  before(() => Promise.all([loadFft(), loadBeatNetwork()]));

  for (const bpm of [100, 112.5, 126]) {
    it(`puts a straight grid on drums at ${bpm} bpm`, () => {
      const { samples, beats } = drums((beat) => 0.4 + (beat * 60) / bpm);
      const rhythm = decode(samples);
      assertMet(beats, rhythm, 0.03);
      assert.ok(Math.abs(rhythm.bpm / bpm - 1) < 0.001, `${rhythm.bpm} bpm`);
      assert.ok(rhythm.isStable && rhythm.confidence > 0.5, `${rhythm.confidence}`);
      const errors = rhythm.beats.map((beat, index) => beat - (rhythm.beats[0] ?? 0) - (index * 60) / bpm);
      assert.ok(Math.max(...errors.map(Math.abs)) < 0.005, 'the grid is straight');
    });
  }

  it('follows drums that slow down', () => {
    const { samples, beats } = drums((beat) => 0.4 + 0.5 * beat + 0.0008 * beat * beat);
    const rhythm = decode(samples);
    assertMet(beats, rhythm, 0.06);
    assert.equal(rhythm.isStable, false);
  });

  it('gives all hypotheses the features of the weights and probabilities with the sum 1', () => {
    const { samples, beats } = drums((beat) => 0.4 + beat * 0.5);
    const hypotheses = beatHypotheses(evidenceOf(samples), rhythmWeights, beats);
    assert.equal(rhythmWeights.beats.length, hypothesisFeatureNames.length);
    assert.equal(rhythmWeights.bars.features.length, barFeatureNames.length);
    for (const { features } of rhythmWeights.frames) assert.equal(features.length, frameFeatureNames.length);
    for (const { features } of hypotheses) {
      assert.equal(features.length, hypothesisFeatureNames.length);
      assert.ok(features.every(Number.isFinite));
    }
    const sum = hypotheses.reduce((total, { probability }) => total + probability, 0);
    assert.ok(Math.abs(sum - 1) < 1e-9, `${sum}`);
    hypotheses.slice(1).forEach(({ probability }, index) => {
      assert.ok(probability <= (hypotheses[index]?.probability ?? 0));
    });
  });

  it('finds no pulse in silence, in a click and in no samples', () => {
    const click = new Float32Array(10 * RATE);
    click[2 * RATE] = 0.9;
    for (const samples of [new Float32Array(10 * RATE), click, new Float32Array(0)])
      assert.deepEqual(decode(samples).beats, []);
  });
});
