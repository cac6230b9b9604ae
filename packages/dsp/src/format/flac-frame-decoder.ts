import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { withoutConsoleErrors } from './console-errors.ts';
import { type FlacStreamInfo, spellOutFlacFrame } from './flac-frame-header.ts';
import type { FlacFrame } from './flac-frames.ts';

/** Bits of a sample that can be decoded: the library divides samples of every other depth by zero. */
export const FLAC_BIT_DEPTHS = [8, 16, 24, 32];

const ROUNDER = 1.5 * 2 ** 52;

/** libFLAC, one frame at a time. */
export interface FlacFrameDecoder {
  /**
   * The samples of a frame, −1 to 1, an array for each audio channel; null where it cannot be decoded although its
   * checksums are right.
   */
  decode(frame: FlacFrame): Promise<Float32Array[] | null>;
  /** Forgets what came before, for a frame that does not follow the last one. */
  renew(): void;
}

/**
 * Decodes the frames of a stream of one of `FLAC_BIT_DEPTHS`.
 *
 * After a frame that it cannot decode the library frees memory that it does not own, and nothing it does from then on
 * can be trusted: it is dropped with its whole memory, and the next frame gets a new one.
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
        // The library prints each of its errors besides; it does all its work before it answers with a promise.
        const { channelData, samplesDecoded } = await withoutConsoleErrors(
          { prefix: '@wasm-audio-decoders/flac: ' },
          () => current.decodeFrames([bytes]),
        );
        if (samplesDecoded === frame.blockSize && channelData.length === stream.channels) {
          rescale(channelData, stream.bitsPerSample);
          return channelData;
        }
      } catch {
        // A trap inside of WebAssembly, or an array that cannot be there, on account of that memory.
      }
      renew();
      return null;
    },
  };
}

/**
 * The library divides by 2^(bits−1) − 1, which makes full scale 1 and every sample a little too loud. The integers
 * are recovered (exactly, up to 24 bits) and divided by 2^(bits−1), as WAV and every other decoder has them.
 */
function rescale(block: Float32Array[], bitsPerSample: number): void {
  const fullScale = 2 ** (bitsPerSample - 1);
  const step = 1 / fullScale;
  for (const samples of block) {
    for (let index = 0; index < samples.length; index++) {
      // Adding and taking away 1.5 · 2⁵² rounds to a whole number, several times as fast as Math.round.
      samples[index] = ((samples[index] as number) * (fullScale - 1) + ROUNDER - ROUNDER) * step;
    }
  }
}
