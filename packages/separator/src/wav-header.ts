import type { StemBitDepth } from '@stem-studio/contract/separator';
import { bytesPerSample } from './stem-encoder.ts';

/** Length of what {@link wavHeader} returns: RIFF, `fmt `, `fact` and the head of `data`. */
export const wavHeaderBytes = 58;

/** The longest `data` chunk whose RIFF length still fits 32 bits. */
export const maxWavDataBytes = 0xffffffff - wavHeaderBytes - 1;

/**
 * The head of a stereo WAV file, the same length at every depth so that it can be written last.
 *
 * @see Microsoft, Multimedia Programming Interface and Data Specifications 1.0 (1991), "Waveform"; `fact` and
 *   the extension size as required for IEEE floats
 */
export function wavHeader(frames: number, sampleRate: number, depth: StemBitDepth): Buffer {
  const sampleBytes = bytesPerSample[depth];
  const dataBytes = frames * 2 * sampleBytes;
  const header = Buffer.alloc(wavHeaderBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(wavHeaderBytes - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(18, 16);
  header.writeUInt16LE(depth === '32f' ? 3 : 1, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2 * sampleBytes, 28);
  header.writeUInt16LE(2 * sampleBytes, 32);
  header.writeUInt16LE(sampleBytes * 8, 34);
  header.writeUInt16LE(0, 36);
  header.write('fact', 38, 'latin1');
  header.writeUInt32LE(4, 42);
  header.writeUInt32LE(frames, 46);
  header.write('data', 50, 'latin1');
  header.writeUInt32LE(dataBytes, 54);
  return header;
}
