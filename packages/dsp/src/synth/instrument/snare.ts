import { StateVariableFilter } from '../filter.ts';
import type { Random } from '../random.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';

/** Parameters of a snare drum. */
export interface SnareTone {
  /** Frequency of the lower mode of the head; the upper one is at 1.7 times this. */
  readonly headHz: number;
  /** Time constant of the decay of the snare wires. */
  readonly decaySeconds: number;
  /** Level of the wires relative to the head, 0 to 1. */
  readonly wires: number;
}

/**
 * Renders a snare drum: two modes of the head with a short fall in pitch, and wires of high-passed noise. Soft hits
 * (ghost notes) are darker. Mono, peak about `velocity`.
 *
 * @param velocity 0 to 1
 * @see Fletcher, Rossing, "The physics of musical instruments", 1998, chapter 18
 */
export function renderSnare(velocity: number, tone: SnareTone, random: Random): StereoSamples {
  const samples = new Float32Array(samplesIn(tone.decaySeconds * 5));
  const wires = new StateVariableFilter(1500, 0.6);
  const bright = new StateVariableFilter(3500 + 9500 * velocity, 0.7);
  let low = 0;
  let high = 0;
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / SAMPLE_RATE_HZ;
    const fall = 1 + 0.45 * Math.exp(-seconds / 0.012);
    low += (tone.headHz * fall) / SAMPLE_RATE_HZ;
    high += (tone.headHz * 1.72 * fall) / SAMPLE_RATE_HZ;
    const head =
      0.7 * Math.sin(2 * Math.PI * low) * Math.exp(-seconds / 0.075) +
      0.4 * Math.sin(2 * Math.PI * high) * Math.exp(-seconds / 0.045);
    wires.process(random() * 2 - 1);
    const envelope =
      0.65 * Math.exp(-seconds / tone.decaySeconds) + 0.35 * Math.exp(-seconds / (tone.decaySeconds * 0.25));
    const rattle = bright.process(wires.high) * envelope;
    samples[index] =
      velocity * Math.min(1, seconds / 0.0007) * ((1 - tone.wires) * head + tone.wires * rattle);
  }
  fadeEnd(samples, 0.03);
  return monoSamples(samples);
}
