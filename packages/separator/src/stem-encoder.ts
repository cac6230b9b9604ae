import type { StemBitDepth } from '@stem-studio/contract/separator';

/** Interleaved stereo blocks of the four stems, and of the mixture whose parts they are. */
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

/** The encoded samples of one block: one buffer a stem, the residual last. */
export interface EncodedBlock {
  readonly buffers: Buffer[];
  /** Largest absolute sample of each stem. */
  readonly peaks: number[];
  /** False when a stem exceeds full scale: then the integers have been clipped and must not be used. */
  readonly fits: boolean;
}

/**
 * Encodes the stems of a block so that they sum to the mixture, the last stem being what the others leave:
 *
 * - integers: each estimate is rounded, and the residual is the rounded mixture minus the rounded estimates, so
 *   the sum is exactly the rounded mixture. No dither, which would need four times the noise to sum to one.
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
  const bytes = bytesPerSample[depth];
  const lowest = -scale;
  const highest = scale - 1;
  let fits = true;
  const put = (stem: number, at: number, value: number): void => {
    if (Math.abs(value) > (peaks[stem] as number) * scale) peaks[stem] = Math.abs(value) / scale;
    let sample = value;
    if (value < lowest || value > highest) {
      fits = false;
      sample = Math.min(highest, Math.max(lowest, value));
    }
    const buffer = buffers[stem] as Buffer;
    buffer[at] = sample & 0xff;
    buffer[at + 1] = (sample >> 8) & 0xff;
    if (bytes === 3) buffer[at + 2] = (sample >> 16) & 0xff;
  };
  for (let i = 0, at = side * bytes; i < mixture.length; i++, at += 2 * bytes) {
    let rest = Math.round((mixture[i] as number) * scale);
    for (let s = 0; s < parts.length; s++) {
      const value = Math.round(((parts[s] as Float32Array)[i] as number) * scale);
      rest -= value;
      put(s, at, value);
    }
    put(parts.length, at, rest);
  }
  return fits;
}

/**
 * Adds encoded samples to others of the same depth, in place: exactly for integers, within one rounding for floats.
 * When a sum exceeds full scale nothing is changed.
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

/** Turns interleaved integers of a depth into the same values as 32-bit floats. */
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
