import { StateVariableFilter } from '../filter.ts';
import type { Random } from '../random.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';

/**
 * Renders a tom: two modes of a head whose pitch falls while it rings, and the stick. Mono, peak about `velocity`.
 *
 * @param velocity 0 to 1
 * @param headHz pitch at rest, 70 to 250 Hz
 * @see Fletcher, Rossing, "The physics of musical instruments", 1998, chapter 18
 */
export function renderTom(velocity: number, headHz: number, random: Random): StereoSamples {
  const decaySeconds = 0.14 + 12 / headHz;
  const samples = new Float32Array(samplesIn(decaySeconds * 4));
  const stick = new StateVariableFilter(2200, 1);
  let phase = 0;
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / SAMPLE_RATE_HZ;
    phase += (headHz * (1 + 0.5 * Math.exp(-seconds / 0.04))) / SAMPLE_RATE_HZ;
    stick.process(random() * 2 - 1);
    const head =
      Math.sin(2 * Math.PI * phase) * Math.exp(-seconds / decaySeconds) +
      0.25 * Math.sin(2 * Math.PI * 1.59 * phase) * Math.exp(-seconds / (decaySeconds * 0.4));
    samples[index] =
      velocity * 0.85 * (Math.min(1, seconds / 0.001) * head + 0.5 * stick.band * Math.exp(-seconds / 0.01));
  }
  fadeEnd(samples, 0.03);
  return monoSamples(samples);
}
