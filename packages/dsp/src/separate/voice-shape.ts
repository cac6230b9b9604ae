import { binHz } from './stereo-spectrogram.ts';

/** Upper limit of the voice model; above it is unpitched noise. */
const modelledHz = 8000;
/** Number of bins of each frame covered by the model. */
export const modelledBins = Math.ceil(modelledHz / binHz);
/** Number of segments of the piecewise linear vocal tract filter. */
export const corners = 22;

/** Position of each bin on the filter curve. */
export interface FilterPositions {
  readonly corner: Uint8Array;
  readonly part: Float32Array;
}

/**
 * Returns the position of each bin between corners equally spaced on the mel scale: the lower corner and the fraction
 * towards the upper one.
 */
export function filterPositions(): FilterPositions {
  const mel = (hz: number): number => 1127 * Math.log(1 + hz / 700);
  const corner = new Uint8Array(modelledBins);
  const part = new Float32Array(modelledBins);
  for (let k = 0; k < modelledBins; k++) {
    const position = Math.min(corners - 1e-6, (corners * mel(k * binHz)) / mel(modelledHz));
    corner[k] = Math.floor(position);
    part[k] = position - (corner[k] as number);
  }
  return { corner, part };
}

/** Draws a comb with teeth at the harmonics of a pitch, wider at high frequencies to allow for glides. */
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
