import type { StemBitDepth } from '@stem-studio/contract/separator';

/** One stereo block of the mixture and of its estimated stems. */
export interface StemBlock {
  readonly frames: number;
  /** Left and right of the mixture. */
  readonly mixture: readonly [Float32Array, Float32Array];
  /** Left and right of each estimated stem. */
  readonly estimates: readonly (readonly [Float32Array, Float32Array])[];
}

/** Bytes of one sample at each depth. */
export const bytesPerSample: Readonly<Record<StemBitDepth, number>> = { '16': 2, '24': 3, '32f': 4 };

const fullScale = { '16': 32_768, '24': 8_388_608 } as const;

/** The encoded samples of one block: one interleaved buffer per stem, the residual last. */
export interface EncodedBlock {
  readonly buffers: Buffer[];
  /** Largest absolute sample of each stem. */
  readonly peaks: number[];
  /** Whether all stems are within full scale. If false, the integers are clipped and must not be used. */
  readonly fits: boolean;
}

/**
 * Encodes the stems of a block so that they sum to the mixture; the last stem is the residual.
 *
 * - integers: each estimate is rounded, and the residual is the rounded mixture minus the rounded estimates, so
 *   the sum is exactly the rounded mixture. No dither: independent dither per stem would not cancel in the sum.
 * - floats: the residual is rounded once to single precision, so the sum is the mixture within one rounding.
 */
export function encodeBlock(block: StemBlock, depth: StemBitDepth): EncodedBlock {
  const { frames, estimates } = block;
  const stemCount = estimates.length + 1;
  const size = frames * 2 * bytesPerSample[depth];
  const buffers = Array.from({ length: stemCount }, () => Buffer.allocUnsafe(size));
  const peaks = Array.from({ length: stemCount }, () => 0);
  let fits = true;
  for (let side = 0; side < 2; side++) {
    const mixture = block.mixture[side] as Float32Array;
    const parts = estimates.map((pair) => pair[side] as Float32Array);
    const ok =
      depth === '32f'
        ? encodeFloats(mixture, parts, side, buffers, peaks)
        : encodeIntegers(mixture, parts, side, buffers, peaks, depth);
    fits &&= ok;
  }
  return { buffers, peaks, fits };
}

function encodeFloats(
  mixture: Float32Array,
  parts: readonly Float32Array[],
  side: number,
  buffers: readonly Buffer[],
  peaks: number[],
): true {
  const outputs = buffers.map((b) => new Float32Array(b.length / 4));
  for (let i = 0; i < mixture.length; i++) {
    let rest = mixture[i] as number;
    for (let s = 0; s < parts.length; s++) {
      const value = (parts[s] as Float32Array)[i] as number;
      rest -= value;
      (outputs[s] as Float32Array)[i] = value;
      if (Math.abs(value) > (peaks[s] as number)) peaks[s] = Math.abs(value);
    }
    (outputs[parts.length] as Float32Array)[i] = rest;
    if (Math.abs(rest) > (peaks[parts.length] as number)) peaks[parts.length] = Math.abs(rest);
  }
  for (let s = 0; s < outputs.length; s++) {
    const output = outputs[s] as Float32Array;
    const buffer = buffers[s] as Buffer;
    for (let i = 0, at = side * 4; i < mixture.length; i++, at += 8)
      buffer.writeFloatLE(output[i] as number, at);
  }
  return true;
}

function encodeIntegers(
  mixture: Float32Array,
  parts: readonly Float32Array[],
  side: number,
  buffers: readonly Buffer[],
  peaks: number[],
  depth: '16' | '24',
): boolean {
  const scale = fullScale[depth];
  const rest = new Int32Array(mixture.length);
  const values = new Int32Array(mixture.length);
  for (let i = 0; i < rest.length; i++) rest[i] = Math.floor((mixture[i] as number) * scale + 0.5);
  let fits = true;
  for (let stem = 0; stem <= parts.length; stem++) {
    const part = parts[stem];
    if (part)
      for (let i = 0; i < values.length; i++) {
        const value = Math.floor((part[i] as number) * scale + 0.5);
        values[i] = value;
        rest[i] = (rest[i] as number) - value;
      }
    const isWithin = clip(part ? values : rest, stem, scale, peaks);
    fits &&= isWithin;
    writeIntegers(part ? values : rest, side, buffers[stem] as Buffer, depth);
  }
  return fits;
}

/** Clips integers to full scale, updates the peak, and returns whether all were within it. */
function clip(values: Int32Array, stem: number, scale: number, peaks: number[]): boolean {
  let lowest = 0;
  let highest = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value < lowest) lowest = value;
    else if (value > highest) highest = value;
  }
  peaks[stem] = Math.max(peaks[stem] as number, highest / scale, -lowest / scale);
  if (lowest >= -scale && highest < scale) return true;
  for (let i = 0; i < values.length; i++)
    values[i] = Math.min(scale - 1, Math.max(-scale, values[i] as number));
  return false;
}

/** Writes one audio channel into interleaved little-endian samples. */
function writeIntegers(values: Int32Array, side: number, buffer: Buffer, depth: '16' | '24'): void {
  // Native byte order: every platform of Node is little-endian.
  if (depth === '16' && buffer.byteOffset % 2 === 0) {
    const samples = new Int16Array(buffer.buffer, buffer.byteOffset, buffer.length / 2);
    for (let i = 0, at = side; i < values.length; i++, at += 2) samples[at] = values[i] as number;
    return;
  }
  const bytes = bytesPerSample[depth];
  let at = side * bytes;
  for (let i = 0; i < values.length; i++, at += 2 * bytes) {
    const value = values[i] as number;
    buffer[at] = value;
    buffer[at + 1] = value >> 8;
    if (bytes === 3) buffer[at + 2] = value >> 16;
  }
}

/**
 * Adds encoded samples of the same bit depth in place: exact for integers, rounded once for floats.
 *
 * If a sum exceeds full scale, nothing is changed.
 */
export function foldSamples(
  added: Buffer,
  sum: Buffer,
  depth: StemBitDepth,
): { readonly fits: boolean; readonly peak: number } {
  const bytes = bytesPerSample[depth];
  const scale = depth === '32f' ? 1 : fullScale[depth];
  const sums = new Float64Array(sum.length / bytes);
  let peak = 0;
  let fits = true;
  for (let i = 0, at = 0; i < sums.length; i++, at += bytes) {
    const value =
      depth === '32f'
        ? added.readFloatLE(at) + sum.readFloatLE(at)
        : added.readIntLE(at, bytes) + sum.readIntLE(at, bytes);
    sums[i] = value;
    if (Math.abs(value) > peak) peak = Math.abs(value);
    if (depth !== '32f' && (value < -scale || value > scale - 1)) fits = false;
  }
  if (!fits) return { fits, peak: peak / scale };
  for (let i = 0, at = 0; i < sums.length; i++, at += bytes) {
    if (depth === '32f') sum.writeFloatLE(sums[i] as number, at);
    else sum.writeIntLE(sums[i] as number, at, bytes);
  }
  return { fits, peak: peak / scale };
}

/** Converts interleaved integers to 32-bit floats of the same value. */
export function widenToFloat(samples: Buffer, depth: '16' | '24'): Buffer {
  const bytes = bytesPerSample[depth];
  const count = samples.length / bytes;
  const scale = 1 / fullScale[depth];
  const out = Buffer.allocUnsafe(count * 4);
  for (let i = 0; i < count; i++) {
    const value = bytes === 2 ? samples.readInt16LE(i * 2) : samples.readIntLE(i * 3, 3);
    out.writeFloatLE(value * scale, i * 4);
  }
  return out;
}
