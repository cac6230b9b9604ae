import type { AudioWarning, DecoderOptions, DecoderStream } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { decodePcm } from './decode-pcm.ts';
import { readWavHeader } from './wav-header.ts';

/**
 * Decodes WAV: PCM of 8 to 32 bits, float of 32 and 64 bits, plain or extensible, RIFF or RF64.
 *
 * A `data` chunk that declares more than the file contains is decoded to the end with the warning `truncated`; one of
 * unknown length (0xFFFFFFFF, or 0 before the end of the file) runs to the end. `reader` is at byte 0.
 * @throws AudioFormatError on an invalid header
 */
export async function openWav(reader: ByteReader, { startFrame }: DecoderOptions): Promise<DecoderStream> {
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
    isStarted: true,
    blocks: decodePcm(reader, header, warnings, startFrame),
  };
}
