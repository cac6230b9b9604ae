import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { planRendition } from './rendition-plan.ts';

const cd: AudioInfo = {
  codec: 'wav',
  sample_rate: 44_100,
  channels: 2,
  bits_per_sample: 16,
  bitrate: 1_411_200,
  declared_frames: 44_100 * 200,
};

test('encodes lossless as FLAC, high as 320, medium as 192 and low as 128 kbps', () => {
  assert.deepEqual(planRendition(cd, 'lossless'), {
    kind: 'flac',
    extension: 'flac',
    sampleRate: 44_100,
    channels: 2,
    bitDepth: 16,
  });
  for (const [quality, bitrateKbps] of [
    ['high', 320],
    ['medium', 192],
    ['low', 128],
  ] as const) {
    assert.deepEqual(planRendition(cd, quality), {
      kind: 'mp3',
      extension: 'mp3',
      sampleRate: 44_100,
      channels: 2,
      bitrateKbps,
    });
  }
});

test('copies audio that already has the requested quality', () => {
  const flac: AudioInfo = { ...cd, codec: 'flac' };
  const mp3: AudioInfo = { ...cd, codec: 'mp3', bits_per_sample: null, bitrate: 192_039 };
  assert.equal(planRendition(flac, 'lossless').kind, 'copy');
  assert.equal(planRendition(mp3, 'medium').kind, 'copy');
  assert.equal(planRendition(mp3, 'high').kind, 'mp3');
  assert.equal(planRendition(mp3, 'lossless').kind, 'flac');
});

test('chooses an MP3 sample rate that supports the bitrate, and at most two channels', () => {
  const rates = [8000, 11_025, 22_050, 24_000, 32_000, 88_200, 96_000, 192_000].map((sample_rate) => {
    const plan = planRendition({ ...cd, sample_rate, channels: 6 }, 'high');
    return plan.kind === 'mp3' ? [plan.sampleRate, plan.channels] : null;
  });
  assert.deepEqual(
    rates.map((rate) => rate?.[0]),
    [48_000, 44_100, 44_100, 48_000, 32_000, 44_100, 48_000, 48_000],
  );
  assert.ok(rates.every((rate) => rate?.[1] === 2));
});

test('keeps 24 bits in FLAC and rounds an unusual sample rate up to the next one of FLAC', () => {
  const plan = planRendition({ ...cd, bits_per_sample: 24, sample_rate: 47_999 }, 'lossless');
  assert.ok(plan.kind === 'flac' && plan.bitDepth === 24 && plan.sampleRate === 48_000);
});
