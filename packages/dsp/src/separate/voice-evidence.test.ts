import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, knownParts } from '../testing/known-parts.ts';
import { voiceMaskOracle } from '../testing/voice-mask-oracle.ts';
import { createSpectrogramTransform } from './stereo-spectrogram.ts';
import { voiceLogOdds } from './voice-evidence.ts';
import { voiceBins } from './voice-network.ts';

const parts = knownParts(4);
const mixture = add(parts.vocals, parts.drums, parts.bass, parts.other);
const spectrogram = (await createSpectrogramTransform()).analyse(mixture.left, mixture.right);
const constant = (value: number): Float32Array =>
  new Float32Array(spectrogram.frameCount * voiceBins).fill(value);

test('certain masks of a loud voice speak for it', async () => {
  const masks = (await voiceMaskOracle(parts.vocals)).estimate(mixture.left, mixture.right);
  assert.ok(voiceLogOdds(spectrogram, masks) > 0);
});

test('undecided masks speak against a voice, even if they let much through', () => {
  assert.ok(voiceLogOdds(spectrogram, { left: constant(0.4), right: constant(0.4) }) < 0);
});

test('masks of nothing and silence speak against a voice', async () => {
  assert.ok(voiceLogOdds(spectrogram, { left: constant(0), right: constant(0) }) < 0);
  const silence = new Float32Array(44_100);
  const silent = (await createSpectrogramTransform()).analyse(silence, silence);
  const masks = {
    left: new Float32Array(silent.frameCount * voiceBins),
    right: new Float32Array(silent.frameCount * voiceBins),
  };
  assert.ok(voiceLogOdds(silent, masks) < 0);
});
