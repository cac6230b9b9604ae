import { BIQUAD_STATE } from '../filter/biquad.ts';
import { kWeighting } from '../filter/k-weighting.ts';
import { sampleProgram } from '../signal/sample-program.ts';

/** Loudness reported for silence: the absolute gate. */
export const SILENCE_LUFS = -70;

const OFFSET = -0.691;
const RELATIVE_GATE = -10;
/** Steps per gating block of 400 ms. */
const STEPS_PER_BLOCK = 4;
const STEPS_PER_SECOND = 10;
/** Audio channels that are filtered together. */
const TOGETHER = 2;

/** Measures the loudness of a stream. */
export interface LoudnessMeter {
  /** Adds the next samples, one array per audio channel. */
  push(block: readonly Float32Array[]): void;
  /** Returns the integrated loudness in LUFS; `SILENCE_LUFS` where all blocks are below the gate. */
  finish(): number;
  /**
   * Returns the ungated loudness of each second in LUFS, at least `SILENCE_LUFS`.
   *
   * A last part of at least half a second counts as a second.
   */
  seconds(): number[];
}

/**
 * Creates a loudness meter after ITU-R BS.1770-4.
 *
 * K-weighting → mean square in blocks of 400 ms every 100 ms, summed over the audio channels → mean of the blocks above
 * −70 LUFS → mean of those no more than 10 LU below it.
 *
 * A stream shorter than one block counts as one block of its own length.
 *
 * @param options.sampleRate original sample rate in Hz: the weighting covers the whole spectrum
 * @param options.channels audio channels; of five or six the last two are the surrounds, counted +1.5 dB, and of six
 *   the fourth is the effects channel, not counted
 * @see ITU-R BS.1770-4; EBU R 128
 */
export function createLoudnessMeter(options: { sampleRate: number; channels: number }): LoudnessMeter {
  const { sampleRate, channels } = options;
  const stepSamples = Math.round(sampleRate / 10);
  const { calls, blockSize, channels: inputs, coefficients, states, squares } = sampleProgram();
  const filters = kWeighting(sampleRate);
  const weighting = filters.flatMap(({ b0, b1, b2, a1, a2 }) => [b0, b1, b2, a1, a2]);
  const pairs = Array.from({ length: Math.ceil(channels / TOGETHER) }, (_, pair) => ({
    channels: [TOGETHER * pair, TOGETHER * pair + 1].filter((channel) => channel < channels),
    state: new Float64Array(TOGETHER * filters.length * BIQUAD_STATE),
  }));
  /** Weighted sums of squares of each step of 100 ms. */
  const steps: number[] = [];
  let current = 0;
  let filled = 0;

  const take = (block: readonly Float32Array[], from: number, count: number): void => {
    coefficients.set(weighting);
    for (const pair of pairs) {
      for (const [side, channel] of pair.channels.entries())
        inputs[side]?.set(block[channel]?.subarray(from, from + count) ?? new Float32Array(count));
      states.set(pair.state);
      calls.weigh(0, count);
      pair.state.set(states);
      for (const [side, channel] of pair.channels.entries())
        current += channelWeight(channel, channels) * (squares[side] ?? 0);
    }
    filled += count;
    if (filled === stepSamples) {
      steps.push(current);
      current = 0;
      filled = 0;
    }
  };

  return {
    push(block) {
      const length = block[0]?.length ?? 0;
      for (let at = 0; at < length; ) {
        const count = Math.min(blockSize, length - at, stepSamples - filled);
        take(block, at, count);
        at += count;
      }
    },
    finish() {
      if (steps.length < STEPS_PER_BLOCK) {
        const samples = steps.length * stepSamples + filled;
        const total = steps.reduce((sum, step) => sum + step, current);
        return samples === 0 ? SILENCE_LUFS : gatedLoudness([total / samples]);
      }
      const blocks = steps.slice(STEPS_PER_BLOCK - 1).map((_, index) => {
        const sum = steps.slice(index, index + STEPS_PER_BLOCK).reduce((total, step) => total + step, 0);
        return sum / (STEPS_PER_BLOCK * stepSamples);
      });
      return gatedLoudness(blocks);
    },
    seconds() {
      const count = Math.max(steps.length > 0 ? 1 : 0, Math.round(steps.length / STEPS_PER_SECOND));
      return Array.from({ length: count }, (_, second) => {
        const part = steps.slice(second * STEPS_PER_SECOND, (second + 1) * STEPS_PER_SECOND);
        const power = mean(part) / stepSamples;
        return power > 0 ? Math.max(SILENCE_LUFS, toLufs(power)) : SILENCE_LUFS;
      });
    },
  };
}

function gatedLoudness(powers: readonly number[]): number {
  const loud = powers.filter((power) => toLufs(power) > SILENCE_LUFS);
  if (loud.length === 0) return SILENCE_LUFS;
  const gate = toLufs(mean(loud)) + RELATIVE_GATE;
  return toLufs(mean(loud.filter((power) => toLufs(power) > gate)));
}

function toLufs(power: number): number {
  return OFFSET + 10 * Math.log10(power);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function channelWeight(index: number, channels: number): number {
  if (channels === 6 && index === 3) return 0;
  return (channels === 5 || channels === 6) && index >= channels - 2 ? 1.41 : 1;
}
