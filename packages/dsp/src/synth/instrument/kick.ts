import { StateVariableFilter } from '../filter.ts';
import type { Random } from '../random.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';

/** Parameters of a kick drum. */
export interface KickTone {
  /** Final frequency of the body. */
  readonly bodyHz: number;
  /** Initial frequency above that of the body. */
  readonly sweepHz: number;
  /** Time constant of the decay of the body. */
  readonly decaySeconds: number;
  /** Level of the beater, 0 to 1. */
  readonly click: number;
}

/**
 * Renders a kick: a sine that falls from `bodyHz + sweepHz` to `bodyHz`, saturated by a tanh, and a beater of
 * band-passed noise. Mono, peak about `velocity`.
 *
 * @param velocity 0 to 1
 * @see Roland TR-909 service notes, 1984 (bass drum: swept oscillator, click generator)
 */
export function renderKick(velocity: number, tone: KickTone, random: Random): StereoSamples {
  const samples = new Float32Array(samplesIn(tone.decaySeconds * 4));
  const beater = new StateVariableFilter(3200, 0.9);
  let phase = 0;
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / SAMPLE_RATE_HZ;
    const sweep = 0.75 * Math.exp(-seconds / 0.018) + 0.25 * Math.exp(-seconds / 0.06);
    phase += (tone.bodyHz + tone.sweepHz * sweep) / SAMPLE_RATE_HZ;
    const attack = Math.min(1, seconds / 0.0012);
    const body = Math.tanh(1.7 * Math.sin(2 * Math.PI * phase)) * Math.exp(-seconds / tone.decaySeconds);
    beater.process(random() * 2 - 1);
    const click = beater.band * tone.click * Math.exp(-seconds / 0.006);
    samples[index] = velocity * (attack * body + click);
  }
  fadeEnd(samples, 0.02);
  return monoSamples(samples);
}
