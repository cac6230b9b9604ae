/** Format of interleaved samples in a file. */
export interface PcmFormat {
  /** Encoding of a sample; `unsigned` is an integer with silence at half its range. */
  encoding: 'integer' | 'unsigned' | 'float';
  /** Bytes per sample: 1 to 4, or 4 and 8 for floats. */
  sampleBytes: number;
  /** Bytes per sample frame (one sample of every audio channel). */
  frameBytes: number;
  isLittleEndian: boolean;
}

/** Magnitude above which float samples (+120 dBFS) are invalid and would overflow later sums. */
const LOUDEST = 1e6;

/**
 * Reads `frames` interleaved sample frames from `bytes` to one array per audio channel; returns the number of invalid
 * samples.
 */
export type PcmReader = (bytes: Uint8Array, frames: number, into: Float32Array[]) => number;

/**
 * Creates the reader for a sample format.
 *
 * Integers become n / 2^(bits−1), −1 to just under 1, with bits counted in whole bytes: shorter samples are
 * left-justified.
 *
 * Float samples that are not finite, or beyond ±10⁶, are replaced by 0 and counted.
 */
export function createPcmReader(format: PcmFormat): PcmReader {
  return format.encoding === 'float' ? floatReader(format) : integerReader(format);
}

function floatReader({ sampleBytes, frameBytes, isLittleEndian }: PcmFormat): PcmReader {
  return (bytes, frames, into) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let invalid = 0;
    for (const [index, samples] of into.entries()) {
      let at = index * sampleBytes;
      for (let frame = 0; frame < frames; frame++, at += frameBytes) {
        const value =
          sampleBytes === 8 ? view.getFloat64(at, isLittleEndian) : view.getFloat32(at, isLittleEndian);
        // The comparison is false for NaN too.
        const isValid = value <= LOUDEST && value >= -LOUDEST;
        samples[frame] = isValid ? value : 0;
        if (!isValid) invalid++;
      }
    }
    return invalid;
  };
}

function integerReader({ encoding, sampleBytes, frameBytes, isLittleEndian }: PcmFormat): PcmReader {
  // Every width is shifted to the top of 32 bits: the sign is kept and one factor serves all widths.
  const step = 1 / 2147483648;
  const flip = encoding === 'unsigned' ? 0x8000_0000 : 0;
  const [first, last] = isLittleEndian ? [sampleBytes - 1, -1] : [0, 1];
  return (bytes, frames, into) => {
    for (const [index, samples] of into.entries()) {
      let at = index * sampleBytes + first;
      switch (sampleBytes) {
        case 1:
          for (let frame = 0; frame < frames; frame++, at += frameBytes)
            samples[frame] = (((bytes[at] as number) << 24) ^ flip) * step;
          break;
        case 2:
          for (let frame = 0; frame < frames; frame++, at += frameBytes)
            samples[frame] =
              ((((bytes[at] as number) << 24) | ((bytes[at + last] as number) << 16)) ^ flip) * step;
          break;
        case 3:
          for (let frame = 0; frame < frames; frame++, at += frameBytes)
            samples[frame] =
              ((((bytes[at] as number) << 24) |
                ((bytes[at + last] as number) << 16) |
                ((bytes[at + 2 * last] as number) << 8)) ^
                flip) *
              step;
          break;
        default:
          for (let frame = 0; frame < frames; frame++, at += frameBytes)
            samples[frame] =
              ((((bytes[at] as number) << 24) |
                ((bytes[at + last] as number) << 16) |
                ((bytes[at + 2 * last] as number) << 8) |
                (bytes[at + 3 * last] as number)) ^
                flip) *
              step;
      }
    }
    return 0;
  };
}
