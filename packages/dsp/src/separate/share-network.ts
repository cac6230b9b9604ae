import { convolveFrames, type FrameLayer } from './convolve-frames.ts';
import { hearFrames, hearingShapes, readLayers, rectify } from './frame-network.ts';

/** Bands that the network hears. */
export const networkBands = 96;
/** What it gives shares to, in this order: guitar, piano and the rest. */
export const shareCount = 3;

const width = 128;
const hiddenPresence = 32;

/** What the network makes of a piece. */
export interface HeardShares {
  /** Logits of guitar, piano and the rest for each band of each frame: {@link networkBands} × 3 values a frame. */
  readonly logits: Float64Array;
  /** The logarithm of the odds that there is a guitar, and a piano, in the piece at all. */
  readonly presence: { readonly guitar: number; readonly piano: number };
}

/** A trained network that tells guitar, piano and the rest apart. */
export interface ShareNetwork {
  /**
   * Hears a piece of several seconds.
   *
   * @param energies the mean energy of the bins of each band of each frame of `other`; its scale does not count
   * @param parts how much of the mixture's energy that is, 0 to 1
   * @throws RangeError when these are of different lengths, or no whole frames
   */
  hear(energies: Float32Array, parts: Float32Array): HeardShares;
}

/**
 * Reads the weights that `training/pack_weights.py` has written.
 *
 * @throws RangeError when they are not as many as the network has
 */
export function readShareNetwork(bytes: Uint8Array): ShareNetwork {
  const layers = readLayers(bytes, [
    ...hearingShapes(2 * networkBands, width),
    [width, networkBands * shareCount, 1, 0],
    [width, hiddenPresence, 1, 0],
    [hiddenPresence, 4, 1, 0],
  ]);
  return { hear: (energies, parts) => hear(layers, energies, parts) };
}

function hear(layers: readonly FrameLayer[], energies: Float32Array, parts: Float32Array): HeardShares {
  const frames = energies.length / networkBands;
  if (!Number.isInteger(frames) || parts.length !== energies.length) {
    throw new RangeError(
      `energies and parts must both have ${networkBands} values a frame (got ${energies.length} and ${parts.length})`,
    );
  }
  const [toShares, toHidden, toPresence] = layers.slice(-3) as [FrameLayer, FrameLayer, FrameLayer];
  const heard = hearFrames(layers.slice(0, -3), featuresOf(energies, parts), frames);
  const hidden = rectify(convolveFrames(toHidden, meanWhereLoud(heard, energies), 1));
  const [guitar, piano] = convolveFrames(toPresence, hidden, 1) as unknown as [number, number];
  return { logits: convolveFrames(toShares, heard, frames), presence: { guitar, piano } };
}

/** The level of each band against the mean of the piece, then how much of the mixture it is; both logarithmic. */
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

/** The mean over the frames, in which the square root of a frame's energy counts. */
function meanWhereLoud(heard: Float64Array, energies: Float32Array): Float64Array {
  const mean = new Float64Array(width);
  let total = 1e-20;
  for (let t = 0; t * width < heard.length; t++) {
    let energy = 0;
    for (let b = 0; b < networkBands; b++) energy += energies[t * networkBands + b] as number;
    const loudness = Math.sqrt(energy);
    total += loudness;
    for (let i = 0; i < width; i++) {
      mean[i] = (mean[i] as number) + loudness * (heard[t * width + i] as number);
    }
  }
  return mean.map((sum) => sum / total);
}
