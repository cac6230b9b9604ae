import { createBufferPool } from '../separate/buffer-pool.ts';
import type { FourStemEstimates, StereoAudio } from '../separate/four-stems.ts';
import type { EstimateMasks } from '../separate/stem-masks.ts';
import { createSpectrogramTransform, writeMagnitude } from '../separate/stereo-spectrogram.ts';

const transform = await createSpectrogramTransform();

/** Separates audio by rules alone, without a network: the masks of `estimate` applied to its spectrogram. */
export function separateByMasks(estimate: EstimateMasks, { left, right }: StereoAudio): FourStemEstimates {
  const pool = createBufferPool();
  const spectrogram = transform.analyse(left, right, pool);
  const magnitude = pool.acquire(spectrogram.leftRe.length);
  writeMagnitude(spectrogram, magnitude);
  const masks = estimate(spectrogram, magnitude, pool, () => {});
  return {
    vocals: transform.synthesise(spectrogram, masks.vocals),
    drums: transform.synthesise(spectrogram, masks.drums),
    bass: transform.synthesise(spectrogram, masks.bass),
  };
}
