import { binHz } from './stereo-spectrogram.ts';

/** The voice is modelled up to here; above it is hiss that no pitch explains. */
const modelledHz = 8000;
/** How many bins of each frame the model covers. */
export const modelledBins = Math.ceil(modelledHz / binHz);
/** Corners of the curve by which throat and mouth colour a voice, less one; between them it is straight. */
export const corners = 22;

/** Where on the curve each bin lies. */
export interface FilterPlaces {
  readonly corner: Uint8Array;
  readonly part: Float32Array;
}

/**
 * Corners that are equally far apart on the mel scale. Each bin lies between two of them: the lower one, and how far
 * towards the upper.
 */
export function filterPlaces(): FilterPlaces {
  const mel = (hz: number): number => 1127 * Math.log(1 + hz / 700);
  const corner = new Uint8Array(modelledBins);
  const part = new Float32Array(modelledBins);
  for (let k = 0; k < modelledBins; k++) {
    const place = Math.min(corners - 1e-6, (corners * mel(k * binHz)) / mel(modelledHz));
    corner[k] = Math.floor(place);
    part[k] = place - (corner[k] as number);
  }
  return { corner, part };
}

/** Writes 1 at the harmonics of a pitch; wider towards the top, where a glide moves them more. */
export function drawComb(teeth: Float32Array, pitchHz: number): void {
  teeth.fill(0);
  const spacing = pitchHz / binHz;
  for (let centre = spacing; centre < modelledBins; centre += spacing) {
    const width = 1.05 + 0.008 * centre;
    const last = Math.min(modelledBins - 1, Math.ceil(centre + 3 * width));
    for (let k = Math.max(0, Math.floor(centre - 3 * width)); k <= last; k++) {
      const tooth = Math.exp(-0.5 * ((k - centre) / width) ** 2);
      if (tooth > (teeth[k] as number)) teeth[k] = tooth;
    }
  }
}
