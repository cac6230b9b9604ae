import { convolveFrames, type FrameLayer } from './convolve-frames.ts';

/** Inputs, outputs, frames seen and their distance. */
export type LayerShape = readonly [inputs: number, outputs: number, taps: 1 | 3, distance: number];

/** How far apart the frames are that each layer after the first sees: three seconds in all. */
const distances = [1, 2, 4, 8, 16, 32] as const;

/** The layers that hear: one that sees the features, and six whose outputs are added to what they see. */
export function hearingShapes(inputs: number, width: number): readonly LayerShape[] {
  return [[inputs, width, 3, 1], ...distances.map((distance): LayerShape => [width, width, 3, distance])];
}

/**
 * Reads weights as `training/pack_weights.py` writes them: 16-bit floats, little-endian, layer after layer.
 *
 * @throws RangeError when they are not as many as the layers have
 */
export function readLayers(bytes: Uint8Array, shapes: readonly LayerShape[]): FrameLayer[] {
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
  return shapes.map(([inputs, outputs, taps, distance]): FrameLayer => {
    const weights = read(outputs * inputs * taps);
    return { inputs, outputs, taps, distance, weights, biases: read(outputs) };
  });
}

/** What the layers of {@link hearingShapes} make of features, `width` values a frame. */
export function hearFrames(
  layers: readonly FrameLayer[],
  features: Float64Array,
  frames: number,
): Float64Array {
  const [first, ...others] = layers as [FrameLayer, ...FrameLayer[]];
  const heard = rectify(convolveFrames(first, features, frames));
  for (const layer of others) {
    const added = rectify(convolveFrames(layer, heard, frames));
    for (let i = 0; i < heard.length; i++) heard[i] = (heard[i] as number) + (added[i] as number);
  }
  return heard;
}

/** Turns what is below zero to zero, in place. */
export function rectify(values: Float64Array): Float64Array {
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
