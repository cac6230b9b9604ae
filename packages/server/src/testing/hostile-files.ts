/** Samples of a FLAC block: the most that the format allows, so that silence takes the fewest bytes. */
const blockSamples = 65_535;
const flacSampleRate = 44_100;
/** Most bytes of a FLAC metadata block: its length has 24 bits. */
const maxBlockBytes = 2 ** 24 - 1;
const vorbisCommentType = 4;

/** Returns the remainder of a cyclic redundancy check with `bits` bits, most significant bit first, initial value 0. */
function crc(bytes: Uint8Array, polynomial: number, bits: 8 | 16): number {
  const top = 2 ** (bits - 1);
  const mask = 2 ** bits - 1;
  let remainder = 0;
  for (const byte of bytes) {
    remainder ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++)
      remainder = (remainder & top) === 0 ? remainder << 1 : ((remainder << 1) ^ polynomial) & mask;
    remainder &= mask;
  }
  return remainder;
}

/** Encodes a frame number as FLAC does: the scheme of UTF-8, for numbers below 65,536. */
function codedNumber(value: number): number[] {
  if (value < 0x80) return [value];
  if (value < 0x800) return [0xc0 | (value >> 6), 0x80 | (value & 0x3f)];
  return [0xe0 | (value >> 12), 0x80 | ((value >> 6) & 0x3f), 0x80 | (value & 0x3f)];
}

/** Returns a stereo frame of silence: two constant subframes. */
function silentFrame(number: number, samples: number): Buffer {
  const header = Buffer.from([
    0xff,
    0xf8,
    // Block size in 16 bits at the end of the header, 44.1 kHz.
    0x79,
    // Two audio channels, 16 bits.
    0x18,
    ...codedNumber(number),
    (samples - 1) >> 8,
    (samples - 1) & 0xff,
  ]);
  const body = Buffer.concat([header, Buffer.from([crc(header, 0x07, 8)]), Buffer.alloc(6)]);
  const footer = Buffer.alloc(2);
  footer.writeUInt16BE(crc(body, 0x8005, 16));
  return Buffer.concat([body, footer]);
}

function metadataBlock(type: number, body: Uint8Array, isLast: boolean): Buffer {
  if (body.length > maxBlockBytes)
    throw new RangeError(
      `a FLAC metadata block must have at most ${maxBlockBytes} bytes (got ${body.length})`,
    );
  const header = Buffer.alloc(4);
  header.writeUInt32BE(body.length);
  header[0] = type | (isLast ? 0x80 : 0);
  return Buffer.concat([header, body]);
}

function streamInfo(totalSamples: number): Buffer {
  const body = Buffer.alloc(34);
  body.writeUInt16BE(Math.min(blockSamples, totalSamples), 0);
  body.writeUInt16BE(Math.min(blockSamples, totalSamples), 2);
  // 20 bits sample rate, 3 bits audio channels minus one, 5 bits per sample minus one, 36 bits samples.
  body.writeBigUInt64BE(
    (BigInt(flacSampleRate) << 44n) | (1n << 41n) | (15n << 36n) | BigInt(totalSamples),
    10,
  );
  return body;
}

function flacOf(totalSamples: number, blocks: readonly { type: number; body: Uint8Array }[]): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < totalSamples; at += blockSamples)
    frames.push(silentFrame(frames.length, Math.min(blockSamples, totalSamples - at)));
  return Buffer.concat([
    Buffer.from('fLaC'),
    metadataBlock(0, streamInfo(totalSamples), blocks.length === 0),
    ...blocks.map(({ type, body }, index) => metadataBlock(type, body, index === blocks.length - 1)),
    ...frames,
  ]);
}

/**
 * Returns a valid FLAC file of silence, 44.1 kHz, 16-bit stereo. An hour takes about 40 kB, but its stems take
 * gigabytes.
 *
 * @param seconds length, more than 0
 */
export function silentFlac(seconds: number): Buffer {
  return flacOf(Math.round(seconds * flacSampleRate), []);
}

/**
 * Returns a valid FLAC file of a second of silence with many Vorbis comments. Each is `A=B`, 7 bytes.
 *
 * @param count number of comments, at most 2,396,744: a metadata block has 24 bits of length
 * @see https://xiph.org/vorbis/doc/v-comment.html
 */
export function flacWithComments(count: number): Buffer {
  const comment = Buffer.from('\x03\0\0\0A=B', 'latin1');
  // An empty vendor string, the count, the comments.
  const body = Buffer.alloc(8 + count * comment.length);
  body.writeUInt32LE(count, 4);
  body.fill(comment, 8);
  return flacOf(flacSampleRate, [{ type: vorbisCommentType, body }]);
}

/**
 * Returns an MP3 file that begins with an ID3v2.3 tag with one cover.
 *
 * @param audio valid MP3 file without a tag
 * @param coverBytes size of the cover, at most 268,435,000: the length of a tag has 28 bits
 * @see https://id3.org/id3v2.3.0
 */
export function mp3WithCover(audio: Uint8Array, coverBytes: number): Buffer {
  const lead = Buffer.from('\0image/jpeg\0\x03\0\xff\xd8\xff\xe0', 'latin1');
  const frame = Buffer.alloc(10);
  frame.write('APIC', 'latin1');
  frame.writeUInt32BE(lead.length + coverBytes, 4);
  const tagBytes = frame.length + lead.length + coverBytes;
  if (tagBytes >= 2 ** 28)
    throw new RangeError(`an ID3 tag must have less than 268435456 bytes (got ${tagBytes})`);
  const header = Buffer.from('ID3\x03\0\0', 'latin1');
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (tagBytes >> shift) & 0x7f));
  return Buffer.concat([header, size, frame, lead, Buffer.alloc(coverBytes, 0x5a), audio]);
}
