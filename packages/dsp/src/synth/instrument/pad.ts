import { StateVariableFilter } from '../filter.ts';
import { frequencyOf } from '../pitch.ts';
import type { Random } from '../random.ts';
import { fadeEnd, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';
import { waveTable } from '../wavetable.ts';

/** Parameters of a note of detuned saws: a pad with slow envelopes, strings or a stab with fast ones. */
export interface PadTone {
  readonly attackSeconds: number;
  readonly releaseSeconds: number;
  /** Cutoff at the beginning and at the end of the note. */
  readonly cutoffHz: number;
  readonly cutoffEndHz: number;
  /** Spread of the saws in cents, from lowest to highest. */
  readonly detuneCents: number;
  /** Sustain level, 0 to 1 (1: an organ, 0.2: a stab). */
  readonly sustain: number;
}

const STRETCH = 32;

/** Positions of the saws in the spread; the first two are on the left, the others on the right. */
const DETUNE_OFFSETS = [-1, 0.45, 1, -0.5];

/**
 * Renders one note of four detuned saws, two per side, through a low-pass with a moving cutoff.
 *
 * @param velocity 0 to 1
 * @see Szabo, "How to emulate the Super Saw", KTH 2010
 */
export function renderPad(
  midi: number,
  durationSeconds: number,
  velocity: number,
  tone: PadTone,
  random: Random,
): StereoSamples {
  const held = samplesIn(durationSeconds);
  const left = new Float32Array(held + samplesIn(tone.releaseSeconds * 4));
  const right = new Float32Array(left.length);
  const base = frequencyOf(midi);
  const table = waveTable('saw', base * 1.01);
  const steps = DETUNE_OFFSETS.map(
    (offset) => (base * 2 ** ((offset * tone.detuneCents) / 2400)) / SAMPLE_RATE_HZ,
  );
  const phases = Float64Array.from(DETUNE_OFFSETS, () => random());
  const leftFilter = new StateVariableFilter(tone.cutoffHz, 0.8);
  const rightFilter = new StateVariableFilter(tone.cutoffHz, 0.8);
  const attack = 1 / (tone.attackSeconds * SAMPLE_RATE_HZ);
  const release = 1 / (tone.releaseSeconds * SAMPLE_RATE_HZ);
  const fallFactor = Math.exp(-attack / 6);
  const rise = Math.min(1, attack * 3);
  const gain = 0.36 * velocity;
  let level = 0;
  let fall = 1 - tone.sustain;
  // Blocks of 32 samples, each processed by tight loops: saws, filter, envelope.
  for (let from = 0; from < left.length; from += STRETCH) {
    const to = Math.min(left.length, from + STRETCH);
    const cutoff = tone.cutoffHz * (tone.cutoffEndHz / tone.cutoffHz) ** Math.min(1, from / held);
    leftFilter.tune(cutoff, 0.8);
    rightFilter.tune(cutoff * 1.04, 0.8);
    DETUNE_OFFSETS.forEach((_, saw) => {
      phases[saw] = addSaw(saw < 2 ? left : right, from, to, table, phases[saw]!, steps[saw]!);
    });
    leftFilter.lowpass(left, from, to);
    rightFilter.lowpass(right, from, to);
    for (let index = from; index < to; index++) {
      if (index < held) {
        level += (tone.sustain + fall - level) * rise;
        fall *= fallFactor;
      } else level -= level * release;
      left[index]! *= gain * level;
      right[index]! *= gain * level;
    }
  }
  fadeEnd(left, tone.releaseSeconds);
  fadeEnd(right, tone.releaseSeconds);
  return { left, right };
}

/** Adds one saw to a block; returns the phase that it has reached. */
function addSaw(
  samples: Float32Array,
  from: number,
  to: number,
  table: Float32Array,
  begin: number,
  step: number,
): number {
  let phase = begin;
  for (let index = from; index < to; index++) {
    const position = phase * 2048;
    const slot = position | 0;
    const low = table[slot]!;
    samples[index]! += low + (table[slot + 1]! - low) * (position - slot);
    phase += step;
    if (phase >= 1) phase -= 1;
  }
  return phase;
}
