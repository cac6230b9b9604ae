import { AudioFormatError } from './audio-format-error.ts';
import { checkAudioShape } from './audio-shape.ts';
import { type AudioWarning, addWarning, type DecoderOptions, type DecoderStream } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { findFlacFrame } from './find-flac-frame.ts';
import { createFlacFrameDecoder, FLAC_BIT_DEPTHS } from './flac-frame-decoder.ts';
import { type FlacStreamInfo, parseFlacStreamInfo } from './flac-frame-header.ts';
import { FlacFrameReader } from './flac-frames.ts';

/** Longest gap in seconds that is filled with silence for lost frames: a longer one is a damaged number. */
const MAX_GAP_SECONDS = 60;
const GAP_BLOCK = 1 << 15;

/**
 * Decodes FLAC, bit for bit.
 *
 * Every frame's checksums are verified before it is decoded. A damaged frame becomes silence of its length, so that
 * later frames keep their positions, and is reported as `damaged`. A file that ends early is decoded to its end and
 * reported as `truncated`. `reader` is at `fLaC`.
 * @throws AudioFormatError `malformed` if STREAMINFO is invalid or no frame agrees with it, `unsupported_format` for
 *   other depths than 8, 16, 24 and 32 bits
 * @see RFC 9639
 */
export async function openFlac(
  reader: ByteReader,
  { startFrame = 0, fileBytes }: DecoderOptions,
): Promise<DecoderStream> {
  const stream = await readMetadata(reader);
  checkAudioShape(stream.sampleRate, stream.channels);
  if (!FLAC_BIT_DEPTHS.includes(stream.bitsPerSample)) {
    throw new AudioFormatError(
      'unsupported_format',
      `a FLAC must have ${FLAC_BIT_DEPTHS.join(', ')} bits a sample (got ${stream.bitsPerSample})`,
    );
  }
  const warnings: AudioWarning[] = [];
  return {
    info: {
      codec: 'flac',
      sample_rate: stream.sampleRate,
      channels: stream.channels,
      bits_per_sample: stream.bitsPerSample,
      bitrate: null,
      declared_frames: stream.totalSamples === 0 ? null : stream.totalSamples,
    },
    warnings,
    isStarted: true,
    blocks: decodeFlac(reader, stream, startFrame, fileBytes ?? null, warnings),
  };
}

async function readMetadata(reader: ByteReader): Promise<FlacStreamInfo> {
  const head = await reader.fill(42);
  const length = ((head[5] ?? 0) << 16) | ((head[6] ?? 0) << 8) | (head[7] ?? 0);
  if (head.length < 42) {
    throw new AudioFormatError('truncated', `a FLAC file must hold 42 bytes of header (got ${head.length})`);
  }
  if (((head[4] ?? 0) & 0x7f) !== 0 || length !== 34) {
    throw new AudioFormatError(
      'malformed',
      'a FLAC file must begin with STREAMINFO of 34 bytes (got another block)',
    );
  }
  const stream = parseFlacStreamInfo(head.slice(8, 42));
  let isLast = ((head[4] ?? 0) & 0x80) !== 0;
  reader.consume(42);
  while (!isLast) {
    const block = await reader.fill(4);
    // Type 127 is the sync code of a frame: a block header was damaged, the frames are searched for.
    if (block.length < 4 || ((block[0] ?? 0) & 0x7f) === 127) break;
    isLast = ((block[0] ?? 0) & 0x80) !== 0;
    await reader.skip(4 + (((block[1] ?? 0) << 16) | ((block[2] ?? 0) << 8) | (block[3] ?? 0)));
  }
  return stream;
}

async function* decodeFlac(
  reader: ByteReader,
  stream: FlacStreamInfo,
  startFrame: number,
  fileBytes: number | null,
  warnings: AudioWarning[],
): AsyncGenerator<Float32Array[], void, undefined> {
  const frames = new FlacFrameReader(reader, stream);
  const decoder = createFlacFrameDecoder(stream);
  const silence = (length: number) => Array.from({ length: stream.channels }, () => new Float32Array(length));
  try {
    let frame = await frames.next();
    const isWhole = frames.damagedRegions === 0;
    // A stream cut from a longer one begins at the number of its first frame; one damaged at its start begins at 0.
    let position = isWhole ? (frame?.firstSample ?? 0) : 0;
    /** Samples still to be skipped. */
    let skip = startFrame;
    if (frame !== null && isWhole && fileBytes !== null && reader.isSeekable && stream.totalSamples > 0) {
      const behindFirst = reader.position;
      const from = { byte: behindFirst - frame.bytes.length, sample: position };
      const end = { byte: fileBytes, sample: Math.max(stream.totalSamples, position + startFrame) };
      const found = await findFlacFrame(reader, stream, from, position + startFrame, end);
      if (reader.position !== behindFirst) {
        await reader.seek(found.byte);
        frame = await frames.next();
        skip -= found.sample - position;
        position = found.sample;
      }
    }
    let readFrames = 0;
    for (; frame !== null; frame = await frames.next()) {
      const gap: number = frame.firstSample - position;
      // libFLAC rejects frames that do not follow each other: a new instance decodes those after a gap.
      if (gap !== 0) decoder.renew();
      if (gap > 0 && gap <= MAX_GAP_SECONDS * stream.sampleRate) {
        const passed = Math.min(skip, gap);
        skip -= passed;
        for (let left = gap - passed; left > 0; left -= GAP_BLOCK) yield silence(Math.min(left, GAP_BLOCK));
      }
      position = frame.firstSample + frame.blockSize;
      readFrames++;
      if (skip >= frame.blockSize) {
        skip -= frame.blockSize;
        continue;
      }
      const block = await decoder.decode(frame);
      if (block === null) frames.damagedRegions++;
      const samples = block ?? silence(frame.blockSize);
      yield skip > 0 ? samples.map((part) => part.subarray(skip)) : samples;
      skip = 0;
    }
    if (readFrames === 0 && stream.totalSamples > 0) throw noFrames(frames);
    report(frames, stream, position, warnings);
  } finally {
    await reader.close();
  }
}

function noFrames(frames: FlacFrameReader): AudioFormatError {
  return frames.damagedRegions > 0
    ? new AudioFormatError('malformed', 'a FLAC file must hold frames that agree with its header (none does)')
    : new AudioFormatError('truncated', 'a FLAC file must hold one whole frame (the file ends before that)');
}

function report(
  frames: FlacFrameReader,
  stream: FlacStreamInfo,
  position: number,
  warnings: AudioWarning[],
): void {
  if (frames.damagedRegions > 0) {
    addWarning(
      warnings,
      'damaged',
      frames.damagedRegions,
      (count) => `every FLAC frame must match its checksum (${count} do not and became silence)`,
    );
  }
  const missing = Math.max(0, stream.totalSamples - position);
  if (missing > 0 || frames.endsInsideFrame) {
    addWarning(
      warnings,
      'truncated',
      missing,
      () => `the file declares ${stream.totalSamples} sample frames (it ends after ${position})`,
    );
  }
}
