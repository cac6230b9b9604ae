import { createResampler } from '@stem-studio/dsp/signal/resample';
import { fadeInGain } from '../gain/fade-curve.ts';
import type { PadSample } from './sampler-messages.ts';

/** Fade at the beginning, in seconds: short enough to keep the attack of a drum. */
const ENTRY_SECONDS = 0.001;
/** Fade at the end, in seconds. */
const END_SECONDS = 0.005;

/** Recorded audio of a sample. */
export interface RecordedSample {
  sampleRateHz: number;
  left: Float32Array<ArrayBuffer>;
  right: Float32Array<ArrayBuffer>;
  /** Its length in beats; null where it has no tempo. */
  beats: number | null;
}

/**
 * Returns a sample as the sampler plays it: at the rate of the output, with faded ends, so that a region that was cut
 * out of a song does not click. The recorded audio is not changed.
 */
export function prepareSample(recorded: RecordedSample, outputRateHz: number): PadSample {
  const { sampleRateHz, left, right, beats } = recorded;
  const channels = left === right ? [left] : [left, right];
  const resampler = createResampler({
    fromRate: sampleRateHz,
    toRate: outputRateHz,
    channels: channels.length,
  });
  const parts = [resampler.process(channels), resampler.flush()];
  const ready = channels.map((_, channel) => {
    const joined = join(parts.map((part) => part[channel] ?? new Float32Array(0)));
    fadeEnds(joined, outputRateHz);
    return joined;
  });
  const first = ready[0] ?? new Float32Array(0);
  return { left: first, right: ready[1] ?? first, beats };
}

function join(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function fadeEnds(samples: Float32Array, rateHz: number): void {
  const entry = Math.min(Math.floor(ENTRY_SECONDS * rateHz), samples.length >> 1);
  const end = Math.min(Math.floor(END_SECONDS * rateHz), samples.length >> 1);
  for (let n = 0; n < entry; n++) samples[n]! *= fadeInGain(n / entry);
  for (let n = 0; n < end; n++) samples[samples.length - 1 - n]! *= fadeInGain(n / end);
}
