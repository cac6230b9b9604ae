import { StateVariableFilter } from '../filter.ts';
import type { Random } from '../random.ts';
import { fadeEnd, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';

/**
 * Renders a clap: three short bursts of noise about 10 ms apart and a longer one, independent on each side. Peak about
 * `velocity`.
 *
 * @param velocity 0 to 1
 * @see Roland TR-808 service notes, 1981 (hand clap: sawtooth-gated noise and reverberation)
 */
export function renderClap(velocity: number, random: Random): StereoSamples {
  return { left: clapSide(velocity, random), right: clapSide(velocity, random) };
}

function clapSide(velocity: number, random: Random): Float32Array {
  const samples = new Float32Array(samplesIn(0.32));
  const body = new StateVariableFilter(1350 + 150 * random(), 1.3);
  const air = new StateVariableFilter(700, 0.7);
  const bursts = [0, 0.009 + 0.003 * random(), 0.02 + 0.003 * random()];
  const tail = 0.029 + 0.003 * random();
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / SAMPLE_RATE_HZ;
    let envelope = seconds < tail ? 0 : Math.exp(-(seconds - tail) / 0.055);
    for (const burst of bursts) {
      if (seconds >= burst) envelope += 0.8 * Math.exp(-(seconds - burst) / 0.0035);
    }
    const noise = random() * 2 - 1;
    body.process(noise);
    air.process(noise);
    samples[index] = velocity * 0.9 * envelope * (body.band * 1.1 + air.high * 0.12);
  }
  fadeEnd(samples, 0.03);
  return samples;
}
