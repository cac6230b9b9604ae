/** Header of an MPEG audio Layer III frame. Sizes in bytes, `bitrate` in bits per second. */
export interface Mp3FrameHeader {
  version: 1 | 2 | 2.5;
  sampleRate: number;
  channels: 1 | 2;
  bitrate: number;
  frameBytes: number;
  /** Samples per audio channel in a frame: 1152 for MPEG-1, 576 for MPEG-2 and 2.5. */
  frameSamples: number;
  /** Bytes from the start of the frame to the end of its side information. */
  sideInfoEnd: number;
}

const BITRATES_KBPS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_KBPS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES_1 = [44100, 48000, 32000];

/**
 * Reads the frame header at `offset`; null if there is none.
 *
 * Layers I and II, reserved values and free-format bitrate count as none.
 * @see ISO/IEC 11172-3, 2.4.2.3; ISO/IEC 13818-3 for the lower sampling frequencies
 */
export function parseMp3FrameHeader(bytes: Uint8Array, offset: number): Mp3FrameHeader | null {
  const b1 = bytes[offset + 1];
  const b2 = bytes[offset + 2];
  const b3 = bytes[offset + 3];
  if (bytes[offset] !== 0xff || b1 === undefined || b2 === undefined || b3 === undefined) return null;
  if ((b1 & 0xe0) !== 0xe0 || (b1 & 0x06) !== 0x02) return null;
  const versionBits = (b1 >> 3) & 3;
  if (versionBits === 1) return null;
  const version = versionBits === 3 ? 1 : versionBits === 2 ? 2 : 2.5;
  const kbps = (version === 1 ? BITRATES_KBPS_1 : BITRATES_KBPS_2)[b2 >> 4];
  const baseRate = SAMPLE_RATES_1[(b2 >> 2) & 3];
  if (kbps === undefined || kbps === 0 || baseRate === undefined || (b3 & 3) === 2) return null;

  const sampleRate = version === 1 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4;
  const channels = b3 >> 6 === 3 ? 1 : 2;
  const frameSamples = version === 1 ? 1152 : 576;
  const padding = (b2 >> 1) & 1;
  const checksumBytes = (b1 & 1) === 0 ? 2 : 0;
  const sideInfoBytes = version === 1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  return {
    version,
    sampleRate,
    channels,
    bitrate: kbps * 1000,
    frameBytes: Math.floor((frameSamples / 8) * ((kbps * 1000) / sampleRate)) + padding,
    frameSamples,
    sideInfoEnd: 4 + checksumBytes + sideInfoBytes,
  };
}

/** Returns whether two frames can belong to one stream: version, sample rate and number of audio channels agree. */
export function isSameMp3Stream(a: Mp3FrameHeader, b: Mp3FrameHeader): boolean {
  return a.version === b.version && a.sampleRate === b.sampleRate && a.channels === b.channels;
}

/**
 * Returns the offset of the first frame of an MP3 stream at or after `from`; -1 if there is none in `bytes`.
 *
 * A frame counts when `links` further headers of the same stream follow, each where the previous frame ends, or when
 * the chain reaches the end of `bytes` and `open` is set: more may follow there.
 */
export function findMp3Frame(bytes: Uint8Array, from: number, links: number, open: boolean): number {
  for (let offset = from; offset + 4 <= bytes.length; offset++) {
    if (bytes[offset] !== 0xff) continue;
    const first = parseMp3FrameHeader(bytes, offset);
    if (first !== null && isMp3Chain(bytes, offset, first, links, open)) return offset;
  }
  return -1;
}

function isMp3Chain(
  bytes: Uint8Array,
  offset: number,
  first: Mp3FrameHeader,
  links: number,
  open: boolean,
): boolean {
  let at = offset + first.frameBytes;
  for (let link = 0; link < links; link++) {
    if (at + 4 > bytes.length) return open || at === bytes.length;
    const next = parseMp3FrameHeader(bytes, at);
    if (next === null || !isSameMp3Stream(first, next)) return false;
    at += next.frameBytes;
  }
  return true;
}
