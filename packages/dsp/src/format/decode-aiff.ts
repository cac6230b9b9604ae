import { AudioFormatError } from './audio-format-error.ts';
import { checkAudioShape } from './audio-shape.ts';
import type { AudioWarning, DecoderOptions, DecoderStream } from './audio-source.ts';
import { ascii, type ByteReader } from './byte-reader.ts';
import { decodePcm, type PcmLayout } from './decode-pcm.ts';

interface AiffHeader extends PcmLayout {
  sampleRate: number;
  bitsPerSample: number;
  declaredFrames: number;
}

/** Compression types of AIFC for uncompressed samples. `bits` null: as stated in the chunk. */
const SAMPLE_FORMATS: Record<
  string,
  Pick<PcmLayout, 'encoding' | 'isLittleEndian'> & { bits: number | null }
> = {
  NONE: { encoding: 'integer', isLittleEndian: false, bits: null },
  twos: { encoding: 'integer', isLittleEndian: false, bits: null },
  sowt: { encoding: 'integer', isLittleEndian: true, bits: null },
  raw: { encoding: 'unsigned', isLittleEndian: false, bits: null },
  in24: { encoding: 'integer', isLittleEndian: false, bits: 24 },
  in32: { encoding: 'integer', isLittleEndian: false, bits: 32 },
  '42ni': { encoding: 'integer', isLittleEndian: true, bits: 24 },
  '23ni': { encoding: 'integer', isLittleEndian: true, bits: 32 },
  fl32: { encoding: 'float', isLittleEndian: false, bits: 32 },
  FL32: { encoding: 'float', isLittleEndian: false, bits: 32 },
  fl64: { encoding: 'float', isLittleEndian: false, bits: 64 },
  FL64: { encoding: 'float', isLittleEndian: false, bits: 64 },
};
/** Number of chunks before the audio above which the file counts as random bytes. */
const MAX_CHUNKS = 4096;

/**
 * Decodes AIFF and AIFC: integers of 1 to 32 bits in either byte order, float of 32 and 64 bits.
 *
 * The COMM chunk must precede the SSND chunk, as in every file that was written as a stream. A file with less audio
 * than declared is decoded to its end and reported as `truncated`. `reader` is at byte 0.
 * @throws AudioFormatError on an invalid header, `unsupported_format` for compressed samples
 * @see Apple, "Audio Interchange File Format AIFF-C", 1991
 */
export async function openAiff(reader: ByteReader, { startFrame }: DecoderOptions): Promise<DecoderStream> {
  const header = await readHeader(reader);
  const warnings: AudioWarning[] = [];
  return {
    info: {
      codec: 'aiff',
      sample_rate: header.sampleRate,
      channels: header.channels,
      bits_per_sample: header.bitsPerSample,
      bitrate: Math.round(header.sampleRate * header.frameBytes * 8),
      declared_frames: header.declaredFrames,
    },
    warnings,
    isStarted: true,
    blocks: decodePcm(reader, header, warnings, startFrame),
  };
}

async function readHeader(reader: ByteReader): Promise<AiffHeader> {
  reader.consume(12);
  let header: AiffHeader | null = null;
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
    const head = await reader.fill(16);
    if (head.length < 8) break;
    const id = ascii(head, 0, 4);
    const view = new DataView(head.buffer, head.byteOffset, head.length);
    const size = view.getUint32(4);
    if (id === 'SSND') {
      if (header === null) {
        throw new AudioFormatError(
          'malformed',
          'the COMM chunk must stand before the SSND chunk (it does not)',
        );
      }
      if (head.length < 16) break;
      const offset = view.getUint32(8);
      reader.consume(16);
      await reader.skip(offset);
      return header;
    }
    reader.consume(8);
    if (id === 'COMM') {
      header = parseCommon((await reader.fill(Math.min(size, 64))).slice(0, Math.min(size, 64)));
    }
    // Chunks are padded to an even length.
    await reader.skip(size + (size & 1));
  }
  throw new AudioFormatError('truncated', 'an AIFF file must have an SSND chunk (the file ends before one)');
}

function parseCommon(body: Uint8Array): AiffHeader {
  if (body.length < 18) {
    throw new AudioFormatError('malformed', `the COMM chunk must hold 18 bytes or more (got ${body.length})`);
  }
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const channels = view.getUint16(0);
  const declaredFrames = view.getUint32(2);
  const sampleRate = extended(view, 8);
  checkAudioShape(sampleRate, channels);
  const name = body.length >= 22 ? ascii(body, 18, 22).trimEnd() : 'NONE';
  const format = SAMPLE_FORMATS[name];
  if (format === undefined) {
    const known = Object.keys(SAMPLE_FORMATS).join(', ');
    throw new AudioFormatError('unsupported_format', `AIFC samples must be ${known} (got ${name})`);
  }
  const bits = format.bits ?? view.getUint16(6);
  if (!(bits >= 1 && bits <= (format.encoding === 'float' ? 64 : 32))) {
    throw new AudioFormatError('unsupported_format', `AIFF samples must have 1 to 32 bits (got ${bits})`);
  }
  const sampleBytes = Math.ceil(bits / 8);
  const frameBytes = sampleBytes * channels;
  return {
    encoding: format.encoding,
    isLittleEndian: format.isLittleEndian,
    sampleRate,
    channels,
    bitsPerSample: bits,
    sampleBytes,
    frameBytes,
    declaredFrames,
    dataBytes: declaredFrames * frameBytes,
    chunkName: 'SSND',
  };
}

/**
 * Reads an 80-bit number: sign, 15 bits of exponent, 64 of mantissa with an explicit leading 1.
 *
 * @see IEEE 754
 */
function extended(view: DataView, at: number): number {
  const exponent = view.getUint16(at);
  const mantissa = view.getUint32(at + 2) * 2 ** 32 + view.getUint32(at + 6);
  return (exponent >= 0x8000 ? -1 : 1) * mantissa * 2 ** ((exponent & 0x7fff) - 16_383 - 63);
}
