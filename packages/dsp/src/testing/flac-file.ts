import { joinBytes } from '../format/audio-encoder.ts';
import { crc8, crc16 } from '../format/checksum.ts';

/** Format of a FLAC written by `flacFile`. */
export interface FlacShape {
  /** Sample rate in STREAMINFO, 1 to 1,048,575 Hz. */
  sampleRate: number;
  /** Bit depth, 4 to 32. */
  bitsPerSample: number;
  /** Code of the sample rate in every frame header; 0 refers to STREAMINFO. */
  rateCode?: number;
  /** Code of the bit depth in every frame header; 0 refers to STREAMINFO. */
  bitsCode?: number;
  /**
   * Samples per frame, repeated cyclically; frames are then numbered by their first samples. By default each frame has
   * 1,024 samples and is numbered itself.
   */
  blockSizes?: readonly number[];
}

/** Samples per audio channel in every frame but the last. */
const BLOCK_SIZE = 1024;

/**
 * Encodes integers, one array per audio channel, as a FLAC with verbatim subframes.
 *
 * It serves for the rates, depths and frame headers that our encoder does not write. The numbering allows at most
 * 65,536 frames or samples.
 *
 * @see RFC 9639
 */
export function flacFile(samples: readonly ArrayLike<number>[], shape: FlacShape): Uint8Array {
  const { sampleRate, bitsPerSample, rateCode = 0, bitsCode = 0, blockSizes } = shape;
  const length = samples[0]?.length ?? 0;
  const bits: string[] = [];
  const put = (value: number, width: number) => {
    bits.push((value < 0 ? value + 2 ** width : value).toString(2).padStart(width, '0'));
  };
  put(Math.min(...(blockSizes ?? [BLOCK_SIZE])), 16);
  put(Math.max(...(blockSizes ?? [BLOCK_SIZE])), 16);
  put(0, 48);
  put(sampleRate, 20);
  put(samples.length - 1, 3);
  put(bitsPerSample - 1, 5);
  put(length, 36);
  const parts = [
    Uint8Array.from([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34]),
    takeBytes(bits),
    new Uint8Array(16),
  ];
  for (let from = 0, index = 0, size = 0; from < length; from += size, index++) {
    size = Math.min(blockSizes?.[index % blockSizes.length] ?? BLOCK_SIZE, length - from);
    const sizes = [(size - 1) >> 8, (size - 1) & 255];
    const codes = [0x70 | rateCode, ((samples.length - 1) << 4) | (bitsCode << 1)];
    const number = codedNumber(blockSizes ? from : index);
    const header = Uint8Array.from([0xff, blockSizes ? 0xf9 : 0xf8, ...codes, ...number, ...sizes]);
    for (const channel of samples) {
      put(1, 7);
      put(0, 1);
      for (let at = from; at < from + size; at++) put(channel[at] ?? 0, bitsPerSample);
    }
    const frame = Uint8Array.from([...header, crc8(header, 0, header.length), ...takeBytes(bits)]);
    const check = crc16(frame, 0, frame.length);
    parts.push(frame, Uint8Array.from([check >> 8, check & 255]));
  }
  return joinBytes(parts);
}

/** Encodes a number below 65,536 in the manner of UTF-8. */
function codedNumber(value: number): number[] {
  if (value < 0x80) return [value];
  const last = 0x80 | (value & 0x3f);
  if (value < 0x800) return [0xc0 | (value >> 6), last];
  return [0xe0 | (value >> 12), 0x80 | ((value >> 6) & 0x3f), last];
}

/** Returns the bits as bytes, padded with zeros, and empties `bits`. */
function takeBytes(bits: string[]): Uint8Array {
  const joined = bits.splice(0).join('');
  return Uint8Array.from({ length: Math.ceil(joined.length / 8) }, (_, index) =>
    Number.parseInt(joined.slice(index * 8, index * 8 + 8).padEnd(8, '0'), 2),
  );
}
