import type { WavHeader } from './wav-header.ts';

/** Float samples beyond this are no sound (+120 dBFS) and would overflow sums downstream. */
const LOUDEST = 1e6;

/** Reads `frames` interleaved sample frames from `bytes` into one array an audio channel; returns invalid ones. */
export type WavSampleReader = (bytes: Uint8Array, frames: number, into: Float32Array[]) => number;

/**
 * The reader for the samples that a header describes; integers become n / 2^(bits−1), so −1 to just under 1.
 *
 * Float samples that are not finite, or beyond ±10⁶, are replaced by 0 and counted.
 */
export function createWavSampleReader(header: WavHeader): WavSampleReader {
  const { encoding, sampleBytes, frameBytes } = header;
  const get = encoding === 'float' ? floatGetter(sampleBytes) : integerGetter(sampleBytes);
  const isFloat = encoding === 'float';
  return (bytes, frames, into) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let invalid = 0;
    for (const [index, samples] of into.entries()) {
      let at = index * sampleBytes;
      for (let frame = 0; frame < frames; frame++, at += frameBytes) {
        let value = get(view, at);
        // The comparison is false for NaN too.
        if (isFloat && !(value <= LOUDEST && value >= -LOUDEST)) {
          value = 0;
          invalid++;
        }
        samples[frame] = value;
      }
    }
    return invalid;
  };
}

type Getter = (view: DataView, at: number) => number;

function floatGetter(sampleBytes: number): Getter {
  return sampleBytes === 8
    ? (view, at) => view.getFloat64(at, true)
    : (view, at) => view.getFloat32(at, true);
}

function integerGetter(sampleBytes: number): Getter {
  switch (sampleBytes) {
    case 1:
      // 8-bit WAV is unsigned.
      return (view, at) => (view.getUint8(at) - 128) / 128;
    case 2:
      return (view, at) => view.getInt16(at, true) / 32768;
    case 3:
      return (view, at) => ((view.getInt16(at + 1, true) << 8) | view.getUint8(at)) / 8388608;
    default:
      return (view, at) => view.getInt32(at, true) / 2147483648;
  }
}
