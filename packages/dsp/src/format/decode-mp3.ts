import { AudioFormatError } from './audio-format-error.ts';
import {
  type AudioInfo,
  type AudioWarning,
  addWarning,
  type DecoderOptions,
  type DecoderStream,
  type Mp3FrameIndex,
} from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { Mp3FrameCursor } from './mp3-frame-cursor.ts';
import { createMp3FrameDecoder } from './mp3-frame-decoder.ts';
import type { Mp3FrameHeader } from './mp3-frame-header.ts';
import { Mp3FrameReader } from './mp3-frames.ts';
import { MP3_DECODER_DELAY, type Mp3Info, parseMp3InfoFrame } from './mp3-info-frame.ts';
import { readWarmUp } from './mp3-warm-up.ts';
import { trimEnd } from './trim-end.ts';

/** Frames decoded at a time: one second of audio. */
const BATCH_FRAMES = 40;

/**
 * Decodes MP3 (Layer III of MPEG-1, 2 and 2.5) gapless: the encoder's delay and padding are removed if its Info frame
 * states them.
 *
 * `bytes → frames → mpg123 → remove delay → remove padding`. Other data between frames is skipped and reported as
 * `damaged`; a file that ends early is decoded to its end and reported as `truncated`. `reader` is after any ID3v2 tag.
 * @throws AudioFormatError `not_audio` if no chain of frames is found
 */
export async function openMp3(
  reader: ByteReader,
  { startFrame = 0, mp3Index = { offsets: [], hasDamage: false } }: DecoderOptions,
): Promise<DecoderStream> {
  const frames = new Mp3FrameReader(reader);
  const first = await frames.next();
  if (first === null) {
    throw frames.endsInsideFrame
      ? new AudioFormatError('truncated', 'an MP3 must hold one whole frame (the file ends inside its first)')
      : new AudioFormatError('not_audio', 'an MP3 must hold MPEG audio frames (none was found)');
  }
  const { header } = first;
  const infoFrame = parseMp3InfoFrame(first.bytes, header);
  const warnings: AudioWarning[] = [];
  const held = infoFrame === null ? first.bytes.slice() : null;
  return {
    info: describe(header, infoFrame),
    warnings,
    isStarted: true,
    blocks: decodeMp3({ reader, frames, header, infoFrame, held, index: mp3Index, startFrame }, warnings),
  };
}

function describe(header: Mp3FrameHeader, info: Mp3Info | null): AudioInfo {
  const { sampleRate, channels, frameSamples } = header;
  const samples = info?.frames ? info.frames * frameSamples : null;
  const seconds = samples === null ? null : samples / sampleRate;
  return {
    codec: 'mp3',
    sample_rate: sampleRate,
    channels,
    bits_per_sample: null,
    bitrate: seconds !== null && info?.bytes ? Math.round((info.bytes * 8) / seconds) : header.bitrate,
    declared_frames:
      samples === null ? null : Math.max(0, samples - (info?.delay ?? 0) - (info?.padding ?? 0)),
  };
}

/** An MP3 whose first frame has been read. */
interface OpenMp3 {
  reader: ByteReader;
  frames: Mp3FrameReader;
  header: Mp3FrameHeader;
  infoFrame: Mp3Info | null;
  /** The first frame if it contains audio. */
  held: Uint8Array | null;
  index: Mp3FrameIndex;
  startFrame: number;
}

async function* decodeMp3(
  { reader, frames, header, infoFrame: info, held, index, startFrame }: OpenMp3,
  warnings: AudioWarning[],
): AsyncGenerator<Float32Array[], void, undefined> {
  try {
    const decoder = await createMp3FrameDecoder(header);
    const hasGapless = info !== null && info.delay !== null && info.padding !== null;
    let skip = startFrame + (hasGapless ? (info.delay ?? 0) + MP3_DECODER_DELAY : 0);
    const tail = trimEnd(hasGapless ? Math.max(0, (info.padding ?? 0) - MP3_DECODER_DELAY) : 0);
    const cursor = new Mp3FrameCursor(reader, frames, info, held, index);
    let batch = await readWarmUp(cursor, Math.floor(skip / header.frameSamples), header);
    skip -= (cursor.number - batch.length) * header.frameSamples;
    let ended = false;
    while (!ended) {
      for (let framesLeft = BATCH_FRAMES; framesLeft > 0; framesLeft--) {
        const frame = await cursor.next();
        ended = frame === null;
        if (frame === null) break;
        batch.push(frame.slice());
      }
      if (batch.length === 0) break;
      const { block, damagedFrames } = await decoder.decode(batch);
      const samples = batch.length * header.frameSamples;
      const from = Math.min(skip, samples);
      // Frames before `startFrame` may lack the bit reservoir of the frames before them.
      if (damagedFrames > 0 && (startFrame === 0 || from < samples)) reportDamage(warnings, damagedFrames);
      skip -= from;
      for (const ready of tail.push(block.map((part) => part.subarray(from)))) yield ready;
      batch = [];
    }
    if (cursor.number === 0 && (frames.endsInsideFrame || (info?.frames ?? 0) > 0)) {
      throw new AudioFormatError('truncated', 'an MP3 must hold one whole frame (the file ends before that)');
    }
    if (frames.damagedRegions > 0) reportDamage(warnings, frames.damagedRegions);
    const missing = missingFrames(frames, info, cursor.number);
    if (missing !== null) {
      const samples = missing * header.frameSamples;
      addWarning(warnings, 'truncated', samples, () => 'the file ends before its audio does');
      // The last samples of a truncated file are audio, not padding.
      for (const ready of tail.rest()) yield ready;
    }
  } finally {
    await reader.close();
  }
}

/** Returns the number of frames missing at the end, 0 if unknown; null for a complete file. */
function missingFrames(frames: Mp3FrameReader, info: Mp3Info | null, passedFrames: number): number | null {
  const missing = Math.max(0, (info?.frames ?? 0) - passedFrames);
  if (frames.endsInsideFrame) return missing;
  // In a damaged file the frames are missing inside, not at the end.
  return missing > 0 && frames.damagedRegions === 0 ? missing : null;
}

function reportDamage(warnings: AudioWarning[], regions: number): void {
  addWarning(
    warnings,
    'damaged',
    regions,
    (count) => `an MP3 must be frames throughout (${count} regions are damaged)`,
  );
}
