import { AudioFormatError } from './audio-format-error.ts';
import { checkAudioShape } from './audio-shape.ts';
import { ascii, type ByteReader } from './byte-reader.ts';
import type { PcmLayout } from './decode-pcm.ts';

/** Layout of the samples in the data chunk of a WAV file; the reader is at the first of them. */
export interface WavHeader extends PcmLayout {
  sampleRate: number;
  /** Declared valid bits per sample. */
  bitsPerSample: number;
}

const FORMAT_PCM = 1;
const FORMAT_FLOAT = 3;
const FORMAT_EXTENSIBLE = 0xfffe;
const UNKNOWN_SIZE = 0xffff_ffff;
/** Number of chunks before the data chunk above which the file counts as random bytes. */
const MAX_CHUNKS = 4096;

/**
 * Reads a WAV file up to its first sample, skipping unknown chunks.
 *
 * @throws AudioFormatError `malformed`, `unsupported_format`, `truncated` or `no_samples`
 * @see Microsoft RIFF and WAVE_FORMAT_EXTENSIBLE; EBU Tech 3306 (RF64)
 */
export async function readWavHeader(reader: ByteReader): Promise<WavHeader> {
  reader.consume(12);
  let format: WavHeader | null = null;
  let longDataBytes: number | null = null;
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
    const head = await reader.fill(8);
    if (head.length < 8) break;
    const id = ascii(head, 0, 4);
    const size = new DataView(head.buffer, head.byteOffset).getUint32(4, true);
    reader.consume(8);
    if (id === 'data') {
      if (format === null) {
        throw new AudioFormatError(
          'malformed',
          'the fmt chunk must stand before the data chunk (there is none)',
        );
      }
      format.dataBytes = await readDataBytes(reader, size, longDataBytes);
      return format;
    }
    const body =
      id === 'fmt ' || id === 'ds64' ? (await reader.fill(Math.min(size, 64))).slice(0, size) : null;
    if (id === 'fmt ' && body !== null) format = parseFormatChunk(body);
    if (id === 'ds64' && body !== null && body.length >= 16) {
      const bytes = new DataView(body.buffer).getBigUint64(8, true);
      longDataBytes = bytes > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(bytes);
    }
    // Chunks are padded to an even length.
    await reader.skip(size + (size & 1));
  }
  throw new AudioFormatError('truncated', 'a WAV file must have a data chunk (the file ends before one)');
}

async function readDataBytes(
  reader: ByteReader,
  size: number,
  longDataBytes: number | null,
): Promise<number | null> {
  if (size === UNKNOWN_SIZE) return longDataBytes === 0 ? null : longDataBytes;
  if (size > 0) return size;
  // An interrupted recorder leaves 0 with audio after it; in an empty file there is nothing or a chunk.
  const next = await reader.fill(8);
  const isChunk = next.length < 8 || /^[A-Za-z][\w ]{3}$/.test(ascii(next, 0, 4));
  return isChunk ? 0 : null;
}

function parseFormatChunk(body: Uint8Array): WavHeader {
  if (body.length < 16) {
    throw new AudioFormatError('malformed', `the fmt chunk must hold 16 bytes or more (got ${body.length})`);
  }
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const tag = view.getUint16(0, true);
  const channels = view.getUint16(2, true);
  const sampleRate = view.getUint32(4, true);
  const blockAlign = view.getUint16(12, true);
  const bitsPerSample = view.getUint16(14, true);
  const isExtensible = tag === FORMAT_EXTENSIBLE && body.length >= 26;
  const format = isExtensible ? view.getUint16(24, true) : tag;
  if (format !== FORMAT_PCM && format !== FORMAT_FLOAT) {
    throw new AudioFormatError(
      'unsupported_format',
      `a WAV file must hold PCM (1) or float (3) samples (got format ${format})`,
    );
  }
  checkAudioShape(sampleRate, channels);
  const encoding = format === FORMAT_FLOAT ? 'float' : 'integer';
  // An extensible format states the bits of the container, and separately how many of them are valid.
  const validBits = isExtensible ? view.getUint16(18, true) : 0;
  const allowedBits = encoding === 'float' ? [32, 64] : [8, 16, 24, 32];
  const sampleBytes = Math.ceil(bitsPerSample / 8);
  if (bitsPerSample === 0 || !allowedBits.includes(sampleBytes * 8)) {
    throw new AudioFormatError(
      'unsupported_format',
      `${encoding} samples must have ${allowedBits.join(', ')} bits (got ${bitsPerSample})`,
    );
  }
  // The block alignment applies if it is plausible (20 bits in 4 bytes); otherwise the bits do.
  const aligned = blockAlign / channels;
  const isContainer = encoding === 'integer' && aligned >= sampleBytes && aligned <= 4;
  const containerBytes = isContainer && Number.isInteger(aligned) ? aligned : sampleBytes;
  return {
    sampleRate,
    channels,
    // 8-bit WAV is unsigned.
    encoding: encoding === 'integer' && containerBytes === 1 ? 'unsigned' : encoding,
    bitsPerSample: validBits > 0 && validBits < bitsPerSample ? validBits : bitsPerSample,
    sampleBytes: containerBytes,
    frameBytes: containerBytes * channels,
    isLittleEndian: true,
    dataBytes: null,
    chunkName: 'data',
  };
}
