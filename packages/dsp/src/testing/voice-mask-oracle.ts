import type { EstimateVoiceMasks, StereoAudio } from '../separate/four-stems.ts';
import { binCount, createSpectrogramTransform } from '../separate/stereo-spectrogram.ts';
import { voiceBins } from '../separate/voice-network.ts';

/**
 * Creates an estimator of voice masks that knows the voice: in each bin, the part of the energy that is the voice's.
 *
 * Audio that is separated with it is a beginning of the mixture in which the voice is contained, or any audio of that
 * length; the energy of everything else is that of the difference.
 *
 * @param voice null if nobody sings
 */
export async function voiceMaskOracle(voice: StereoAudio | null): Promise<EstimateVoiceMasks> {
  const transform = await createSpectrogramTransform();
  return {
    estimate(left, right, report = () => {}) {
      const sideMask = (mixture: Float32Array, name: 'left' | 'right'): Float32Array => {
        const sung = mixture.map((_, i) => voice?.[name][i] ?? 0);
        const rest = mixture.map((x, i) => x - (sung[i] as number));
        const { leftRe, leftIm, rightRe, rightIm, frameCount } = transform.analyse(sung, rest);
        const mask = new Float32Array(frameCount * voiceBins);
        for (let i = 0; i < mask.length; i++) {
          const at = Math.floor(i / voiceBins) * binCount + (i % voiceBins);
          const energy = (leftRe[at] as number) ** 2 + (leftIm[at] as number) ** 2;
          const others = (rightRe[at] as number) ** 2 + (rightIm[at] as number) ** 2;
          mask[i] = energy / (energy + others + 1e-9);
        }
        return mask;
      };
      const masks = { left: sideMask(left, 'left'), right: sideMask(right, 'right') };
      report(1);
      return masks;
    },
  };
}
