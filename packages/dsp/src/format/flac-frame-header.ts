import { crc8, crc16 } from './checksum.ts';

/** Contents of the STREAMINFO block of a FLAC file. `totalSamples` is 0 if unknown. */
export interface FlacStreamInfo {
  minBlockSize: number;
  maxBlockSize: number;
  sampleRate: number;
  channels: number;
  bitsPerSample: number;
  totalSamples: number;
}

/** Header of a FLAC audio frame, with a verified checksum. */
export interface FlacFrameHeader {
  headerBytes: number;
  /** Samples per audio channel in this frame. */
  blockSize: number;
  /** Index of its first sample in the stream. */
  firstSample: number;
  /** Whether it refers to STREAMINFO for its sample rate or bit depth. */
  needsStreamInfo: boolean;
}

const BLOCK_SIZES = [0, 192, 576, 1152, 2304, 4608, 0, 0, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768];
const SAMPLE_RATES = [0, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000];
const SAMPLE_BITS = [0, 8, 12, -1, 16, 20, 24, 32];
/** Longest header: 4 bytes, a number of 7, block size and rate of 2 each, checksum. */
export const MAX_FLAC_HEADER_BYTES = 16;

/**
 * Reads the 34 bytes of a STREAMINFO block.
 *
 * @see RFC 9639, 8.2
 */
export function parseFlacStreamInfo(body: Uint8Array): FlacStreamInfo {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const packed = view.getUint32(10);
  return {
    minBlockSize: view.getUint16(0),
    maxBlockSize: view.getUint16(2),
    sampleRate: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bitsPerSample: ((packed >>> 4) & 31) + 1,
    totalSamples: (packed & 15) * 2 ** 32 + view.getUint32(14),
  };
}

/**
 * Reads the frame header at `offset`; null if there is none that belongs to this stream.
 *
 * A header must state the sample rate, bits and audio channels of the stream, and its CRC-8 must be correct.
 * @see RFC 9639, 9.1
 */
export function parseFlacFrameHeader(
  bytes: Uint8Array,
  offset: number,
  stream: FlacStreamInfo,
): FlacFrameHeader | null {
  const b1 = bytes[offset + 1] ?? 0;
  const b2 = bytes[offset + 2] ?? 0;
  const b3 = bytes[offset + 3] ?? 0;
  if (bytes[offset] !== 0xff || (b1 & 0xfe) !== 0xf8) return null;
  const sizeCode = b2 >> 4;
  const rateCode = b2 & 15;
  const channelCode = b3 >> 4;
  const bits = SAMPLE_BITS[(b3 >> 1) & 7];
  if (sizeCode === 0 || rateCode === 15 || channelCode > 10 || (b3 & 1) !== 0) return null;
  if ((channelCode < 8 ? channelCode + 1 : 2) !== stream.channels) return null;
  if (bits !== 0 && bits !== stream.bitsPerSample) return null;

  const number = parseCodedNumber(bytes, offset + 4);
  if (number === null) return null;
  let at = offset + 4 + number.length;
  let blockSize = BLOCK_SIZES[sizeCode] ?? 0;
  if (sizeCode === 6) blockSize = (bytes[at++] ?? 0) + 1;
  if (sizeCode === 7) blockSize = (((bytes[at++] ?? 0) << 8) | (bytes[at++] ?? 0)) + 1;
  let sampleRate = rateCode === 0 ? stream.sampleRate : (SAMPLE_RATES[rateCode] ?? 0);
  if (rateCode === 12) sampleRate = (bytes[at++] ?? 0) * 1000;
  if (rateCode === 13) sampleRate = ((bytes[at++] ?? 0) << 8) | (bytes[at++] ?? 0);
  if (rateCode === 14) sampleRate = (((bytes[at++] ?? 0) << 8) | (bytes[at++] ?? 0)) * 10;
  if (sampleRate !== stream.sampleRate || at >= bytes.length) return null;
  if (crc8(bytes, offset, at) !== bytes[at]) return null;

  const isVariable = (b1 & 1) === 1;
  // In a stream of fixed blocks only the last may be shorter, so frame numbers count whole blocks.
  const fixedSize = stream.minBlockSize === stream.maxBlockSize ? stream.maxBlockSize : blockSize;
  return {
    headerBytes: at + 1 - offset,
    blockSize,
    firstSample: isVariable ? number.value : number.value * fixedSize,
    needsStreamInfo: rateCode === 0 || bits === 0,
  };
}

/**
 * Returns a copy of a frame that states bit depth and sample rate instead of referring to STREAMINFO.
 *
 * Its checksums are new; it is meant for a decoder of single frames. The rate is always 44.1 kHz: many rates have no
 * code, and no sample depends on it.
 * @throws RangeError for bit depths without a code: all but 8, 12, 16, 20, 24 and 32
 */
export function spellOutFlacFrame(
  frame: Uint8Array,
  header: FlacFrameHeader,
  stream: FlacStreamInfo,
): Uint8Array {
  const copy = frame.slice();
  const bitsCode = SAMPLE_BITS.indexOf(stream.bitsPerSample);
  if (bitsCode <= 0) {
    throw new RangeError(
      `the bits of a FLAC frame must be 8, 12, 16, 20, 24 or 32 (got ${stream.bitsPerSample})`,
    );
  }
  if (((copy[2] ?? 0) & 15) === 0) copy[2] = (copy[2] ?? 0) | SAMPLE_RATES.indexOf(44_100);
  copy[3] = ((copy[3] ?? 0) & 0xf0) | (bitsCode << 1);
  copy[header.headerBytes - 1] = crc8(copy, 0, header.headerBytes - 1);
  new DataView(copy.buffer).setUint16(copy.length - 2, crc16(copy, 0, copy.length - 2));
  return copy;
}

/** Reads a number of up to 36 bits encoded in the manner of UTF-8. */
function parseCodedNumber(bytes: Uint8Array, offset: number): { value: number; length: number } | null {
  const first = bytes[offset] ?? 0xff;
  if (first < 0x80) return { value: first, length: 1 };
  const length = Math.clz32(~(first << 24));
  if (length < 2 || length > 7) return null;
  let value = length === 7 ? 0 : first & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const byte = bytes[offset + index] ?? 0;
    if ((byte & 0xc0) !== 0x80) return null;
    // Shifts are limited to 32 bits.
    value = value * 64 + (byte & 0x3f);
  }
  return { value, length };
}
