/** Rate, audio channels and sample format of the WAV to be written. */
export interface WavShape {
  sampleRate: number;
  channels: number;
  bitDepth: '16' | '24' | '32f';
}

/** Largest file, because chunk sizes have 32 bits. */
const MAX_RIFF_BYTES = 0xffff_ffff;
const DS64_BYTES = 28;
/**
 * Speaker masks of 3 to 8 audio channels in the usual order.
 *
 * @see WAVE_FORMAT_EXTENSIBLE
 */
const SPEAKER_MASKS = [0, 0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x70f, 0x63f];
/** Last bytes of the GUID that turns a format number into a subformat. */
const SUBFORMAT_GUID = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];

/**
 * Returns the bytes of a WAV file before its first sample, for `frames` sample frames.
 *
 * A file too long for 32-bit sizes is RF64 with a ds64 chunk; with `reservesDs64` a JUNK chunk reserves its bytes, so that
 * the header has the same length for any `frames`.
 * @see EBU Tech 3306
 */
export function createWavHeader(shape: WavShape, frames: number, reservesDs64: boolean): Uint8Array {
  const { sampleRate, channels, bitDepth } = shape;
  if (!(Number.isInteger(channels) && channels >= 1 && channels <= 8)) {
    throw new RangeError(`a WAV must have 1 to 8 audio channels (got ${channels})`);
  }
  const isFloat = bitDepth === '32f';
  const isExtensible = channels > 2;
  const bits = bitDepth === '16' ? 16 : bitDepth === '24' ? 24 : 32;
  const frameBytes = (channels * bits) / 8;
  const dataBytes = frames * frameBytes;
  const formatBytes = isExtensible ? 40 : isFloat ? 18 : 16;
  // Float and extensible files contain a fact chunk with the number of sample frames.
  const factBytes = isFloat || isExtensible ? 12 : 0;
  const fixedBytes = 12 + 8 + formatBytes + factBytes + 8;
  const isLong = fixedBytes + DS64_BYTES + 8 + dataBytes + 1 > MAX_RIFF_BYTES;
  const length = fixedBytes + (isLong || reservesDs64 ? DS64_BYTES + 8 : 0);
  const riffBytes = length - 8 + dataBytes + (dataBytes % 2);

  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const text = (value: string) => {
    for (const letter of value) bytes[at++] = letter.charCodeAt(0);
  };
  const u16 = (value: number) => {
    view.setUint16(at, value, true);
    at += 2;
  };
  const u32 = (value: number) => {
    view.setUint32(at, Math.min(value, MAX_RIFF_BYTES), true);
    at += 4;
  };
  const u64 = (value: number) => {
    view.setBigUint64(at, BigInt(value), true);
    at += 8;
  };

  text(isLong ? 'RF64' : 'RIFF');
  u32(isLong ? MAX_RIFF_BYTES : riffBytes);
  text('WAVE');
  if (isLong || reservesDs64) {
    text(isLong ? 'ds64' : 'JUNK');
    u32(DS64_BYTES);
    u64(isLong ? riffBytes : 0);
    u64(isLong ? dataBytes : 0);
    u64(isLong ? frames : 0);
    u32(0);
  }
  text('fmt ');
  u32(formatBytes);
  const format = isFloat ? 3 : 1;
  u16(isExtensible ? 0xfffe : format);
  u16(channels);
  u32(sampleRate);
  u32(sampleRate * frameBytes);
  u16(frameBytes);
  u16(bits);
  if (formatBytes > 16) u16(formatBytes - 18);
  if (isExtensible) {
    u16(bits);
    u32(SPEAKER_MASKS[channels] ?? 0);
    u16(format);
    bytes.set(SUBFORMAT_GUID, at);
    at += SUBFORMAT_GUID.length;
  }
  if (factBytes > 0) {
    text('fact');
    u32(4);
    u32(frames);
  }
  text('data');
  u32(isLong ? MAX_RIFF_BYTES : dataBytes);
  return bytes;
}
