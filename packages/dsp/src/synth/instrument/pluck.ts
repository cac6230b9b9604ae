import { StateVariableFilter } from '../filter.ts';
import { frequencyOf } from '../pitch.ts';
import type { Random } from '../random.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';
import { TableOscillator, waveTable } from '../wavetable.ts';

/**
 * Renders a plucked string: a burst of noise in a loop of the length of the string, with a mild low-pass and an
 * all-pass for fractional tuning. Mono.
 *
 * @param velocity 0 to 1; soft plucks are darker
 * @param ringSeconds time in which the level falls by 60 dB
 * @see Karplus, Strong, CMJ 7(2), 1983; Jaffe, Smith, CMJ 7(2), 1983
 */
export function renderString(
  midi: number,
  velocity: number,
  ringSeconds: number,
  random: Random,
): StereoSamples {
  const hz = frequencyOf(midi);
  const samples = new Float32Array(samplesIn(ringSeconds * 0.9));
  // The averaging low-pass delays by half a sample, the all-pass by the remaining fraction.
  const period = SAMPLE_RATE_HZ / hz - 0.5;
  const whole = Math.floor(period - 0.1);
  const fraction = period - whole;
  const allpass = (1 - fraction) / (1 + fraction);
  const loop = new Float32Array(whole);
  const pick = new StateVariableFilter(1200 + 5000 * velocity, 0.7);
  for (let index = 0; index < whole; index++) loop[index] = pick.process(random() * 2 - 1);
  let mean = 0;
  for (const sample of loop) mean += sample / whole;
  for (let index = 0; index < whole; index++) loop[index]! -= mean;
  const gain = 0.001 ** (1 / (hz * ringSeconds));
  let at = 0;
  let previous = 0;
  let passed = 0;
  let lastAveraged = 0;
  for (let index = 0; index < samples.length; index++) {
    const out = loop[at]!;
    const averaged = gain * 0.5 * (out + previous);
    previous = out;
    passed = allpass * (averaged - passed) + lastAveraged;
    lastAveraged = averaged;
    loop[at] = passed;
    at = at + 1 === whole ? 0 : at + 1;
    samples[index] = velocity * out * 1.4;
  }
  fadeEnd(samples, 0.08);
  return monoSamples(samples);
}

/** Parameters of a synthesised pluck or lead. */
export interface LeadTone {
  readonly cutoffHz: number;
  readonly openHz: number;
  readonly filterDecaySeconds: number;
  /** Time constant of the level while held. */
  readonly decaySeconds: number;
  readonly resonance: number;
  /** Depth of the vibrato, which begins after 0.2 s. */
  readonly vibratoCents: number;
}

/**
 * Renders a pluck or lead of two saws and a square an octave lower, through a low-pass with its own envelope. Mono.
 *
 * @param velocity 0 to 1
 */
export function renderLead(
  midi: number,
  durationSeconds: number,
  velocity: number,
  tone: LeadTone,
  random: Random,
): StereoSamples {
  const held = samplesIn(durationSeconds);
  const samples = new Float32Array(held + samplesIn(0.25));
  const base = frequencyOf(midi);
  const first = new TableOscillator(waveTable('saw', base * 1.01), random());
  const second = new TableOscillator(waveTable('saw', base * 1.01), random());
  const below = new TableOscillator(waveTable('square', base / 2), random());
  const filter = new StateVariableFilter(tone.cutoffHz, tone.resonance);
  let release = 1;
  let bend = 1;
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / SAMPLE_RATE_HZ;
    if (index % 16 === 0) {
      const opening = tone.openHz * velocity * Math.exp(-seconds / tone.filterDecaySeconds);
      filter.tune(tone.cutoffHz + opening, tone.resonance);
      const depth = tone.vibratoCents * Math.min(1, Math.max(0, (seconds - 0.2) / 0.3));
      bend = depth === 0 ? 1 : 2 ** ((depth * Math.sin(2 * Math.PI * 5.3 * seconds)) / 1200);
    }
    if (index >= held) release *= 1 - 1 / (0.05 * SAMPLE_RATE_HZ);
    const level = Math.min(1, seconds / 0.003) * Math.exp(-seconds / tone.decaySeconds) * release;
    const wave =
      first.next(base * bend) + second.next(base * bend * 1.004) + 0.5 * below.next((base * bend) / 2);
    samples[index] = velocity * 0.4 * level * filter.process(wave);
  }
  fadeEnd(samples, 0.03);
  return monoSamples(samples);
}
