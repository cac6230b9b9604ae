import { StateVariableFilter } from '../filter.ts';
import type { Random } from '../random.ts';
import { fadeEnd, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';

/**
 * Renders a riser before a drop: noise through a band-pass that climbs from `fromHz` to `toHz` with rising level.
 *
 * With `fromHz` above `toHz` it falls and fades instead. The sides have independent noise.
 */
export function renderRiser(
  durationSeconds: number,
  fromHz: number,
  toHz: number,
  random: Random,
): StereoSamples {
  const left = new Float32Array(samplesIn(durationSeconds));
  const right = new Float32Array(left.length);
  const leftBand = new StateVariableFilter(fromHz, 1.6);
  const rightBand = new StateVariableFilter(fromHz, 1.6);
  const isRising = toHz >= fromHz;
  for (let index = 0; index < left.length; index++) {
    const fraction = index / left.length;
    if (index % 64 === 0) {
      const centre = fromHz * (toHz / fromHz) ** fraction;
      const wobble = 1 + 0.04 * Math.sin((2 * Math.PI * 3 * index) / SAMPLE_RATE_HZ);
      leftBand.tune(centre * wobble, 1.6);
      rightBand.tune(centre / wobble, 1.6);
    }
    const level = isRising ? fraction * fraction : Math.min(1, fraction * 200) * (1 - fraction) ** 3;
    leftBand.process(random() * 2 - 1);
    rightBand.process(random() * 2 - 1);
    left[index] = level * leftBand.band;
    right[index] = level * rightBand.band;
  }
  fadeEnd(left, 0.03);
  fadeEnd(right, 0.03);
  return { left, right };
}
