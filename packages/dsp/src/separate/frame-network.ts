import { convolveFrames, type FrameLayer } from './convolve-frames.ts';

/** Inputs, outputs, kernel size in frames and dilation. */
export type LayerShape = readonly [inputs: number, outputs: number, taps: 1 | 3, distance: number];

/** Dilations of the layers after the first; the receptive field is three seconds. */
const distances = [1, 2, 4, 8, 16, 32] as const;

/** Returns the shapes of an input layer and six residual layers. */
export function frameLayerShapes(inputs: number, width: number): readonly LayerShape[] {
  return [[inputs, width, 3, 1], ...distances.map((distance): LayerShape => [width, width, 3, distance])];
}

/**
 * Reads weights written by `training/pack_weights.py`: 16-bit floats, little-endian, layer by layer.
 *
 * @throws RangeError if their number is wrong
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

/** Buffers of {@link applyFrameLayers}, which may be used again. */
export interface HiddenFrames {
  readonly hidden: Float64Array;
  readonly added: Float64Array;
}

/** Creates the buffers for some layers and a number of frames. */
export function createHiddenFrames(layers: readonly FrameLayer[], frames: number): HiddenFrames {
  const size = (layers[0]?.outputs ?? 0) * frames;
  return { hidden: new Float64Array(size), added: new Float64Array(size) };
}

/**
 * Applies the layers of {@link frameLayerShapes} and returns `width` values per frame.
 *
 * @param buffers hold the result, if given, until they are used again
 */
export function applyFrameLayers(
  layers: readonly FrameLayer[],
  features: Float64Array,
  frames: number,
  buffers: HiddenFrames = createHiddenFrames(layers, frames),
): Float64Array {
  const { hidden, added } = buffers;
  const [first, ...others] = layers as [FrameLayer, ...FrameLayer[]];
  rectify(convolveFrames(first, features, frames, hidden));
  for (const layer of others) {
    rectify(convolveFrames(layer, hidden, frames, added));
    for (let i = 0; i < hidden.length; i++) hidden[i] = (hidden[i] as number) + (added[i] as number);
  }
  return hidden;
}

/** Applies a rectified linear unit in place. */
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
