import { StateVariableFilter } from '../filter.ts';
import type { Random } from '../random.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';

/** Renders a cross-stick: two short high modes and a click. Mono. */
export function renderRim(velocity: number, random: Random): StereoSamples {
  const samples = new Float32Array(samplesIn(0.12));
  const tick = new StateVariableFilter(4200, 1.2);
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / SAMPLE_RATE_HZ;
    tick.process(random() * 2 - 1);
    const wood =
      0.6 * Math.sin(2 * Math.PI * 1720 * seconds) + 0.5 * Math.sin(2 * Math.PI * 505 * seconds + 0.3);
    samples[index] =
      velocity *
      Math.min(1, seconds / 0.0005) *
      (wood * Math.exp(-seconds / 0.014) + 0.7 * tick.band * Math.exp(-seconds / 0.005));
  }
  fadeEnd(samples, 0.03);
  return monoSamples(samples);
}
