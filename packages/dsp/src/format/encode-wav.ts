import { type AudioEncoder, blockLength } from './audio-encoder.ts';
import { createQuantizer } from './quantizer.ts';
import { createWavHeader, type WavShape } from './wav-file-header.ts';

/** Parameters of the WAV to be written. `expectedFrames` is the expected number of sample frames, if known. */
export interface WavEncoderOptions extends WavShape {
  /** Triangular dither for 16 and 24 bits; off by default, so that stems are only rounded. */
  dither?: boolean;
  expectedFrames?: number;
}

/**
 * Creates an encoder for WAV of 16 or 24 bits or 32-bit float, RF64 from 4 GB on.
 *
 * With `expectedFrames` the header is final from the start and as short as possible (44 bytes for 16-bit stereo), so
 * that the file can be sent to a socket: no patch follows if the number is right. Without it, space for the long header
 * is reserved and the sizes are patched at the end.
 *
 * @throws RangeError from `finish` if there were more frames than expected and the file exceeds 4 GB
 */
export function createWavEncoder(options: WavEncoderOptions): AudioEncoder {
  const { channels, bitDepth, expectedFrames } = options;
  const sampleBytes = bitDepth === '16' ? 2 : bitDepth === '24' ? 3 : 4;
  const quantize = bitDepth === '32f' ? null : createQuantizer(bitDepth === '16' ? 16 : 24, options.dither);
  const reservesDs64 = expectedFrames === undefined;
  const firstHeader = createWavHeader(options, expectedFrames ?? 0, reservesDs64);
  let frames = 0;
  let isHeaderWritten = false;

  const encode = (block: Float32Array[]): Uint8Array => {
    const length = blockLength(block, channels);
    const start = isHeaderWritten ? 0 : firstHeader.length;
    const bytes = new Uint8Array(start + length * channels * sampleBytes);
    if (!isHeaderWritten) bytes.set(firstHeader);
    isHeaderWritten = true;
    frames += length;
    const view = new DataView(bytes.buffer);
    const frameBytes = channels * sampleBytes;
    for (const [index, samples] of block.entries()) {
      let at = start + index * sampleBytes;
      for (let frame = 0; frame < length; frame++, at += frameBytes) {
        const sample = samples[frame] ?? 0;
        if (quantize === null) {
          view.setFloat32(at, sample, true);
        } else if (sampleBytes === 2) {
          view.setInt16(at, quantize(sample), true);
        } else {
          const value = quantize(sample);
          bytes[at] = value;
          bytes[at + 1] = value >> 8;
          bytes[at + 2] = value >> 16;
        }
      }
    }
    return bytes;
  };

  return {
    encode,
    async finish() {
      const head = isHeaderWritten ? new Uint8Array(0) : firstHeader;
      // Chunks have an even length.
      const isOdd = (frames * channels * sampleBytes) % 2 === 1;
      const tail = new Uint8Array(head.length + (isOdd ? 1 : 0));
      tail.set(head);
      if (frames === (expectedFrames ?? 0) && (!reservesDs64 || frames === 0)) return { tail, patches: [] };
      const header = createWavHeader(options, frames, reservesDs64);
      if (header.length !== firstHeader.length) {
        throw new RangeError(
          `a WAV beyond 4 GB must be expected from the beginning (expected ${expectedFrames} frames, got ${frames})`,
        );
      }
      return { tail, patches: [{ offset: 0, bytes: header }] };
    },
    async close() {
      // There are no resources to release.
    },
  };
}
