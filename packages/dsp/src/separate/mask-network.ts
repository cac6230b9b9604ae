import { convolveFrames, type FrameLayer } from './convolve-frames.ts';
import {
  applyFrameLayers,
  createHiddenFrames,
  frameLayerShapes,
  type HiddenFrames,
  readLayers,
  rectify,
} from './frame-network.ts';

/** Number of input bands. */
export const networkBands = 96;
/** Number of masks: guitar, piano and the rest. */
export const maskCount = 3;

const width = 128;
const hiddenPresence = 32;

/** Output of the network. */
export interface EstimatedMasks {
  /** Logits of guitar, piano and the rest for each band: {@link networkBands} × 3 values per frame. */
  readonly logits: Float64Array;
  /** Log odds that guitar and piano are present. */
  readonly presence: { readonly guitar: number; readonly piano: number };
}

/** A trained network that separates guitar, piano and the rest. */
export interface MaskNetwork {
  /**
   * Estimates masks for several seconds of audio.
   *
   * @param energies mean energy per bin of each band of `other`, {@link networkBands} per frame; scale does not matter
   * @param parts the part of the mixture's energy, 0 to 1, of the same shape
   * @throws RangeError if the lengths differ or are not whole frames
   */
  estimate(energies: Float32Array, parts: Float32Array): EstimatedMasks;
}

/**
 * Reads weights written by `training/pack_weights.py`.
 *
 * @throws RangeError if their number is wrong
 */
export function readMaskNetwork(bytes: Uint8Array): MaskNetwork {
  const layers = readLayers(bytes, [
    ...frameLayerShapes(2 * networkBands, width),
    [width, networkBands * maskCount, 1, 0],
    [width, hiddenPresence, 1, 0],
    [hiddenPresence, 4, 1, 0],
  ]);
  // Kept from one estimate to the next: they are made for each pan position of each segment.
  let buffers = createHiddenFrames(layers, 0);
  return {
    estimate: (energies, parts) => {
      const frames = Math.ceil(energies.length / networkBands);
      if (buffers.hidden.length !== width * frames) buffers = createHiddenFrames(layers, frames);
      return estimate(layers, energies, parts, buffers);
    },
  };
}

function estimate(
  layers: readonly FrameLayer[],
  energies: Float32Array,
  parts: Float32Array,
  buffers: HiddenFrames,
): EstimatedMasks {
  const frames = energies.length / networkBands;
  if (!Number.isInteger(frames) || parts.length !== energies.length) {
    throw new RangeError(
      `energies and parts must both have ${networkBands} values per frame (got ${energies.length} and ${parts.length})`,
    );
  }
  const [toMasks, toHidden, toPresence] = layers.slice(-3) as [FrameLayer, FrameLayer, FrameLayer];
  const hiddenFrames = applyFrameLayers(layers.slice(0, -3), featuresOf(energies, parts), frames, buffers);
  const hidden = rectify(convolveFrames(toHidden, loudnessWeightedMean(hiddenFrames, energies), 1));
  const [guitar, piano] = convolveFrames(toPresence, hidden, 1) as unknown as [number, number];
  return { logits: convolveFrames(toMasks, hiddenFrames, frames), presence: { guitar, piano } };
}

/** Returns the level of each band relative to the mean, then its part of the mixture; both logarithmic. */
function featuresOf(energies: Float32Array, parts: Float32Array): Float64Array {
  let mean = 1e-20;
  for (const energy of energies) mean += energy / energies.length;
  const features = new Float64Array(2 * energies.length);
  for (let i = 0; i < energies.length; i++) {
    const band = i % networkBands;
    const to = 2 * (i - band) + band;
    features[to] = Math.log10((energies[i] as number) / mean + 1e-7) / 2 + 1.2;
    features[to + networkBands] = Math.log10((parts[i] as number) + 1e-3) + 1;
  }
  return features;
}

/** Returns the mean over frames, weighted by the square root of their energy. */
function loudnessWeightedMean(frames: Float64Array, energies: Float32Array): Float64Array {
  const mean = new Float64Array(width);
  let total = 1e-20;
  for (let t = 0; t * width < frames.length; t++) {
    let energy = 0;
    for (let b = 0; b < networkBands; b++) energy += energies[t * networkBands + b] as number;
    const loudness = Math.sqrt(energy);
    total += loudness;
    for (let i = 0; i < width; i++) {
      mean[i] = (mean[i] as number) + loudness * (frames[t * width + i] as number);
    }
  }
  return mean.map((sum) => sum / total);
}
