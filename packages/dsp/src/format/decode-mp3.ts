import { MPEGDecoder } from 'mpg123-decoder';
import { joinBytes } from './audio-encoder.ts';
import { AudioFormatError } from './audio-format-error.ts';
import { type AudioInfo, type AudioWarning, addWarning, type DecoderStream } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import type { Mp3FrameHeader } from './mp3-frame-header.ts';
import { Mp3FrameReader } from './mp3-frames.ts';
import { MP3_DECODER_DELAY, type Mp3Info, parseMp3InfoFrame } from './mp3-info-frame.ts';
import { trimEnd } from './trim-end.ts';

/** Frames handed to the decoder at a time. */
const BATCH_FRAMES = 32;

/**
 * Decodes MP3 (Layer III of MPEG-1, 2 and 2.5) without gaps: the samples that the encoder put before and
 * after the sound are removed where its Info frame tells them.
 *
 * `bytes → frames → mpg123 → less the delay → less the padding`. Garbage between frames is skipped and told
 * as `damaged`; a file that ends early gives what is there and `truncated`. `reader` stands behind any ID3v2 tag.
 * @throws AudioFormatError `not_audio` where no chain of frames is found
 */
export async function openMp3(reader: ByteReader): Promise<DecoderStream> {
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
    blocks: decodeMp3(reader, frames, header, infoFrame, held, warnings),
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

async function* decodeMp3(
  reader: ByteReader,
  frames: Mp3FrameReader,
  header: Mp3FrameHeader,
  info: Mp3Info | null,
  held: Uint8Array | null,
  warnings: AudioWarning[],
): AsyncGenerator<Float32Array[], void, undefined> {
  // Trimming is ours: it must know whether the end of the file is there, and the library's does not ask.
  const decoder = new MPEGDecoder({ enableGapless: false });
  try {
    await decoder.ready;
    const hasGapless = info !== null && info.delay !== null && info.padding !== null;
    let skip = hasGapless ? (info.delay ?? 0) + MP3_DECODER_DELAY : 0;
    const tail = trimEnd(hasGapless ? Math.max(0, (info.padding ?? 0) - MP3_DECODER_DELAY) : 0);
    let decodedFrames = 0;
    let ended = false;
    while (!ended) {
      const batch: Uint8Array[] = held === null ? [] : [held];
      held = null;
      while (batch.length < BATCH_FRAMES) {
        const frame = await frames.next();
        if (frame === null) {
          ended = true;
          break;
        }
        batch.push(frame.bytes.slice());
      }
      if (batch.length === 0) break;
      decodedFrames += batch.length;
      const { channelData, samplesDecoded, errors } = decoder.decode(joinBytes(batch));
      if (errors.length > 0) reportDamage(warnings, errors.length);
      // The library always gives two audio channels; those of a mono file are equal.
      const block = channelData
        .slice(0, header.channels)
        .map((samples) => samples.subarray(Math.min(skip, samplesDecoded)));
      skip -= Math.min(skip, samplesDecoded);
      for (const ready of tail.push(block)) yield ready;
    }
    if (decodedFrames === 0 && (frames.endsInsideFrame || (info?.frames ?? 0) > 0)) {
      throw new AudioFormatError('truncated', 'an MP3 must hold one whole frame (the file ends before that)');
    }
    if (frames.damagedPlaces > 0) reportDamage(warnings, frames.damagedPlaces);
    const missing = missingFrames(frames, info, decodedFrames);
    if (missing !== null) {
      const samples = missing * header.frameSamples;
      addWarning(warnings, 'truncated', samples, () => 'the file ends before its sound does');
      // What would be padding in a whole file is sound here.
      for (const ready of tail.rest()) yield ready;
    }
  } finally {
    decoder.free();
    await reader.close();
  }
}

/** Frames missing at the end of the stream, 0 where their number is unknown; null for a whole file. */
function missingFrames(frames: Mp3FrameReader, info: Mp3Info | null, decodedFrames: number): number | null {
  const missing = Math.max(0, (info?.frames ?? 0) - decodedFrames);
  if (frames.endsInsideFrame) return missing;
  // With damage on the way the frames are missing there, not at the end.
  return missing > 0 && frames.damagedPlaces === 0 ? missing : null;
}

function reportDamage(warnings: AudioWarning[], places: number): void {
  addWarning(
    warnings,
    'damaged',
    places,
    (count) => `an MP3 must be frames throughout (${count} places are damaged)`,
  );
}
