import { StateVariableFilter } from '../filter.ts';
import { frequencyOf } from '../pitch.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';
import { TableOscillator, type WaveShape, waveTable } from '../wavetable.ts';

/** Parameters of a synthesised bass. */
export interface BassTone {
  readonly shape: WaveShape;
  /** Level of the sine an octave below the wave, or at its own pitch. */
  readonly sub: number;
  readonly subOctave: 0 | -1;
  /** Cutoff at rest, and the depth of its envelope. */
  readonly cutoffHz: number;
  readonly openHz: number;
  readonly filterDecaySeconds: number;
  readonly resonance: number;
  readonly releaseSeconds: number;
}

/** One note of a bass line. */
export interface BassNote {
  readonly midi: number;
  readonly durationSeconds: number;
  /** Velocity, 0 to 1. */
  readonly velocity: number;
  /** MIDI number from which the note glides, if any. */
  readonly glideFrom?: number;
}

/**
 * Renders a subtractive bass: wave → low-pass with its own envelope → level, with a clean sine below. Mono.
 *
 * @see Moog, "Voltage-controlled electronic music modules", JAES 13(3), 1965
 */
export function renderBass(note: BassNote, tone: BassTone): StereoSamples {
  const held = samplesIn(note.durationSeconds);
  const samples = new Float32Array(held + samplesIn(tone.releaseSeconds * 5));
  const target = frequencyOf(note.midi);
  const from = frequencyOf(note.glideFrom ?? note.midi);
  const wave = new TableOscillator(waveTable(tone.shape, Math.max(target, from)));
  const filter = new StateVariableFilter(tone.cutoffHz, tone.resonance);
  const subRatio = 2 ** tone.subOctave;
  let level = 0;
  let subPhase = 0;
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / SAMPLE_RATE_HZ;
    const hz = target + (from - target) * Math.exp(-seconds / 0.045);
    if (index % 16 === 0) {
      const opening = tone.openHz * note.velocity * Math.exp(-seconds / tone.filterDecaySeconds);
      filter.tune(tone.cutoffHz + opening, tone.resonance);
    }
    const goal = index < held ? 0.72 + 0.28 * Math.exp(-seconds / 0.25) : 0;
    level += (goal - level) * (index < held ? 0.007 : 1 / (tone.releaseSeconds * SAMPLE_RATE_HZ));
    subPhase += (hz * subRatio) / SAMPLE_RATE_HZ;
    const tonePart = filter.process(wave.next(hz));
    samples[index] = note.velocity * level * (tonePart * 0.75 + tone.sub * Math.sin(2 * Math.PI * subPhase));
  }
  fadeEnd(samples, 0.01);
  return monoSamples(samples);
}
