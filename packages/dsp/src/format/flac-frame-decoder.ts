import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { withoutConsoleErrors } from './console-errors.ts';
import { type FlacStreamInfo, spellOutFlacFrame } from './flac-frame-header.ts';
import type { FlacFrame } from './flac-frames.ts';

/** Bit depths that can be decoded: the library divides samples of any other depth by zero. */
export const FLAC_BIT_DEPTHS = [8, 16, 24, 32];

const ROUNDER = 1.5 * 2 ** 52;

/** Decoder for single FLAC frames. */
export interface FlacFrameDecoder {
  /**
   * Returns the samples of a frame, −1 to 1, one array per audio channel; null if it cannot be decoded despite correct
   * checksums.
   */
  decode(frame: FlacFrame): Promise<Float32Array[] | null>;
  /** Resets the state, for a frame that does not follow the last one. */
  renew(): void;
}

/**
 * Creates a decoder for the frames of a stream of one of `FLAC_BIT_DEPTHS`.
 *
 * After a frame that it cannot decode the library frees memory that it does not own. The instance is then dropped with
 * its whole memory, and a new one decodes the next frame.
 */
export function createFlacFrameDecoder(stream: FlacStreamInfo): FlacFrameDecoder {
  let decoder: FLACDecoder | null = null;
  const renew = () => {
    decoder = null;
  };
  return {
    renew,
    async decode(frame: FlacFrame): Promise<Float32Array[] | null> {
      const bytes = frame.needsStreamInfo ? spellOutFlacFrame(frame.bytes, frame, stream) : frame.bytes;
      const current = decoder ?? new FLACDecoder();
      decoder = current;
      await current.ready;
      try {
        // The library also prints each of its errors; it does all work before it returns its promise.
        const { channelData, samplesDecoded } = await withoutConsoleErrors(
          { prefix: '@wasm-audio-decoders/flac: ' },
          () => current.decodeFrames([bytes]),
        );
        if (samplesDecoded === frame.blockSize && channelData.length === stream.channels) {
          rescale(channelData, stream.bitsPerSample);
          return channelData;
        }
      } catch {
        // A WebAssembly trap, or an impossible array, caused by corrupt memory.
      }
      renew();
      return null;
    },
  };
}

/**
 * Rescales samples, because the library divides integers by 2^(bits−1) − 1, which makes every sample slightly too loud.
 *
 * The integers are restored (exactly, up to 24 bits) and divided by 2^(bits−1), as in WAV and other decoders.
 */
function rescale(block: Float32Array[], bitsPerSample: number): void {
  const fullScale = 2 ** (bitsPerSample - 1);
  const step = 1 / fullScale;
  for (const samples of block) {
    for (let index = 0; index < samples.length; index++) {
      // Adding and subtracting 1.5 · 2⁵² rounds to an integer, several times as fast as Math.round.
      samples[index] = ((samples[index] as number) * (fullScale - 1) + ROUNDER - ROUNDER) * step;
    }
  }
}
