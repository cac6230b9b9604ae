import { convolveFrames, type FrameLayer } from './convolve-frames.ts';

/** Bands that the network hears. */
export const networkBands = 96;
/** What it gives shares to, in this order: guitar, piano and the rest. */
export const shareCount = 3;

const width = 128;
const hiddenPresence = 32;
/** How far apart the frames are that each layer after the first sees: three seconds in all. */
const distances = [1, 2, 4, 8, 16, 32] as const;

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
 * Reads the weights that `training/pack_weights.py` has written: 16-bit floats, little-endian, layer after layer.
 *
 * @throws RangeError when they are not as many as the network has
 */
export function readShareNetwork(bytes: Uint8Array): ShareNetwork {
  const shapes: readonly (readonly [inputs: number, outputs: number, taps: 1 | 3, distance: number])[] = [
    [2 * networkBands, width, 3, 1],
    ...distances.map((distance) => [width, width, 3, distance] as const),
    [width, networkBands * shareCount, 1, 0],
    [width, hiddenPresence, 1, 0],
    [hiddenPresence, 4, 1, 0],
  ];
  const expected = shapes.reduce((sum, [inputs, outputs, taps]) => sum + outputs * (inputs * taps + 1), 0);
  if (bytes.length !== 2 * expected) {
    throw new RangeError(`the weights must be ${2 * expected} bytes (got ${bytes.length})`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const read = (count: number): Float64Array =>
    Float64Array.from({ length: count }, () => {
      at += 2;
      return halfToNumber(view.getUint16(at - 2, true));
    });
  const layers = shapes.map(([inputs, outputs, taps, distance]): FrameLayer => {
    const weights = read(outputs * inputs * taps);
    return { inputs, outputs, taps, distance, weights, biases: read(outputs) };
  });
  return { hear: (energies, parts) => hear(layers, energies, parts) };
}

function hear(layers: readonly FrameLayer[], energies: Float32Array, parts: Float32Array): HeardShares {
  const frames = energies.length / networkBands;
  if (!Number.isInteger(frames) || parts.length !== energies.length) {
    throw new RangeError(
      `energies and parts must both have ${networkBands} values a frame (got ${energies.length} and ${parts.length})`,
    );
  }
  const [first, ...others] = layers as [FrameLayer, ...FrameLayer[]];
  const [toShares, toHidden, toPresence] = others.slice(-3) as [FrameLayer, FrameLayer, FrameLayer];
  const heard = rectify(convolveFrames(first, featuresOf(energies, parts), frames));
  for (const layer of others.slice(0, -3)) {
    const added = rectify(convolveFrames(layer, heard, frames));
    for (let i = 0; i < heard.length; i++) heard[i] = (heard[i] as number) + (added[i] as number);
  }
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

/** Turns what is below zero to zero, in place. */
function rectify(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) if ((values[i] as number) < 0) values[i] = 0;
  return values;
}

/** @see IEEE 754-2019, binary16 */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
