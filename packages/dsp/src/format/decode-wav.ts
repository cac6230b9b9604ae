import { AudioFormatError } from './audio-format-error.ts';
import { type AudioWarning, addWarning, type DecoderStream } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { readWavHeader, type WavHeader } from './wav-header.ts';
import { createWavSampleReader } from './wav-samples.ts';

/** Bytes decoded at a time. */
const BLOCK_BYTES = 1 << 16;

/**
 * Decodes WAV: PCM of 8, 16, 24 and 32 bits, float of 32 and 64 bits, plain or extensible, RIFF or RF64.
 *
 * A `data` chunk that claims more than the file holds gives what is there and the warning `truncated`; one of
 * unknown length (0xFFFFFFFF, or 0 before the end of the file) runs to the end. `reader` stands at byte 0.
 * @throws AudioFormatError on a header that cannot be true
 */
export async function openWav(reader: ByteReader): Promise<DecoderStream> {
  const header = await readWavHeader(reader);
  const warnings: AudioWarning[] = [];
  const { sampleRate, channels, bitsPerSample, frameBytes, dataBytes } = header;
  return {
    info: {
      codec: 'wav',
      sample_rate: sampleRate,
      channels,
      bits_per_sample: bitsPerSample,
      bitrate: sampleRate * frameBytes * 8,
      declared_frames: dataBytes === null ? null : Math.floor(dataBytes / frameBytes),
    },
    warnings,
    blocks: decodeWav(reader, header, warnings),
  };
}

async function* decodeWav(
  reader: ByteReader,
  header: WavHeader,
  warnings: AudioWarning[],
): AsyncGenerator<Float32Array[], void, undefined> {
  const { frameBytes, channels, dataBytes } = header;
  const readSamples = createWavSampleReader(header);
  const framesPerBlock = Math.max(1, Math.floor(BLOCK_BYTES / frameBytes));
  let bytesLeft = dataBytes ?? Number.POSITIVE_INFINITY;
  let bytesRead = 0;
  try {
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
          `the data chunk must hold ${dataBytes} bytes (the file ends before it)`,
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
