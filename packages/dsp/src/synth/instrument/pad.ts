import { StateVariableFilter } from '../filter.ts';
import { frequencyOf } from '../pitch.ts';
import type { Random } from '../random.ts';
import { fadeEnd, SAMPLE_RATE_HZ, type Sound, samplesIn } from '../sound.ts';
import { waveTable } from '../wavetable.ts';

/** How a note of detuned saws sounds: a pad when slow, strings or a stab when quick. */
export interface PadTone {
  readonly attackSeconds: number;
  readonly releaseSeconds: number;
  /** Cutoff at the beginning, and where it has gone by the end of the note. */
  readonly cutoffHz: number;
  readonly cutoffEndHz: number;
  /** Spread of the saws in cents, from the lowest to the highest. */
  readonly detuneCents: number;
  /** Level falls to this share while held (1: an organ, 0.2: a stab). */
  readonly sustain: number;
}

/** Places of the saws in the spread; the first two sound left, the others right. */
const PLACES = [-1, 0.45, 1, -0.5];

/**
 * One note of four detuned saws, two on each side, through a low-pass that moves through the note.
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
): Sound {
  const held = samplesIn(durationSeconds);
  const left = new Float32Array(held + samplesIn(tone.releaseSeconds * 4));
  const right = new Float32Array(left.length);
  const base = frequencyOf(midi);
  const table = waveTable('saw', base * 1.01);
  const steps = PLACES.map((place) => (base * 2 ** ((place * tone.detuneCents) / 2400)) / SAMPLE_RATE_HZ);
  const phases = Float64Array.from(PLACES, () => random());
  const leftFilter = new StateVariableFilter(tone.cutoffHz, 0.8);
  const rightFilter = new StateVariableFilter(tone.cutoffHz, 0.8);
  const attack = 1 / (tone.attackSeconds * SAMPLE_RATE_HZ);
  const release = 1 / (tone.releaseSeconds * SAMPLE_RATE_HZ);
  let level = 0;
  for (let index = 0; index < left.length; index++) {
    if (index % 32 === 0) {
      const share = Math.min(1, index / held);
      const cutoff = tone.cutoffHz * (tone.cutoffEndHz / tone.cutoffHz) ** share;
      leftFilter.tune(cutoff, 0.8);
      rightFilter.tune(cutoff * 1.04, 0.8);
    }
    if (index < held) {
      const fall = tone.sustain + (1 - tone.sustain) * Math.exp((-index * attack) / 6);
      level += (fall - level) * Math.min(1, attack * 3);
    } else level -= level * release;
    const leftIn = saw(table, phases, 0, steps[0]!) + saw(table, phases, 1, steps[1]!);
    const rightIn = saw(table, phases, 2, steps[2]!) + saw(table, phases, 3, steps[3]!);
    left[index] = velocity * 0.36 * level * leftFilter.process(leftIn);
    right[index] = velocity * 0.36 * level * rightFilter.process(rightIn);
  }
  fadeEnd(left, tone.releaseSeconds);
  fadeEnd(right, tone.releaseSeconds);
  return { left, right };
}

/** One sample of one saw; moves its phase on. */
function saw(table: Float32Array, phases: Float64Array, which: number, step: number): number {
  const phase = phases[which]!;
  const position = phase * 2048;
  const index = position | 0;
  const low = table[index]!;
  phases[which] = phase + step >= 1 ? phase + step - 1 : phase + step;
  return low + (table[index + 1]! - low) * (position - index);
}
