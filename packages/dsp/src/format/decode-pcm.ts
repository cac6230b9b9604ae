import { AudioFormatError } from './audio-format-error.ts';
import { type AudioWarning, addWarning } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { createPcmReader, type PcmFormat } from './pcm-samples.ts';

/** Layout of uncompressed samples in a file, with their declared number. */
export interface PcmLayout extends PcmFormat {
  channels: number;
  /** Declared length of the audio in bytes; null if the writer did not know it. */
  dataBytes: number | null;
  /** Name of the chunk that contains them. */
  chunkName: string;
}

/** Bytes decoded at a time. */
const BLOCK_BYTES = 1 << 16;

/**
 * Decodes the samples from the position of `reader` on, without the first `startFrame` sample frames. Fewer samples
 * than declared are reported as `truncated`.
 * @throws AudioFormatError `truncated` if there are no samples at all
 */
export async function* decodePcm(
  reader: ByteReader,
  layout: PcmLayout,
  warnings: AudioWarning[],
  startFrame = 0,
): AsyncGenerator<Float32Array[], void, undefined> {
  const { frameBytes, channels, dataBytes } = layout;
  const readSamples = createPcmReader(layout);
  const framesPerBlock = Math.max(1, Math.floor(BLOCK_BYTES / frameBytes));
  let bytesLeft = dataBytes ?? Number.POSITIVE_INFINITY;
  let bytesRead = 0;
  try {
    if (startFrame > 0) {
      const passedBytes = Math.min(startFrame, Math.floor(bytesLeft / frameBytes)) * frameBytes;
      await reader.seek(reader.position + passedBytes);
      bytesLeft -= passedBytes;
      bytesRead += passedBytes;
    }
    while (bytesLeft >= frameBytes) {
      const wanted = Math.min(framesPerBlock * frameBytes, bytesLeft);
      const view = await reader.fill(wanted);
      const frames = Math.floor(Math.min(view.length, wanted) / frameBytes);
      if (frames === 0) break;
      const block = Array.from({ length: channels }, () => new Float32Array(frames));
      const invalid = readSamples(view, frames, block);
      if (invalid > 0) {
        addWarning(
          warnings,
          'invalid_samples',
          invalid,
          (count) => `samples must be numbers within ±1000000 (${count} are not and became silence)`,
        );
      }
      reader.consume(frames * frameBytes);
      bytesLeft -= frames * frameBytes;
      bytesRead += frames * frameBytes;
      yield block;
    }
    if (dataBytes !== null && bytesLeft >= frameBytes) {
      const missing = Math.floor(bytesLeft / frameBytes);
      if (bytesRead === 0) {
        throw new AudioFormatError(
          'truncated',
          `the ${layout.chunkName} chunk must hold ${dataBytes} bytes (the file ends before it)`,
        );
      }
      const declared = Math.floor(dataBytes / frameBytes);
      addWarning(
        warnings,
        'truncated',
        missing,
        () => `the file declares ${declared} sample frames (it holds ${Math.floor(bytesRead / frameBytes)})`,
      );
    }
  } finally {
    await reader.close();
  }
}
