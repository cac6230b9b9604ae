import { mp3Wasm } from '../native/mp3-wasm.ts';
import { createNativePool } from '../native/native-decoder.ts';
import { AudioFormatError } from './audio-format-error.ts';
import { type AudioInfo, type AudioWarning, addWarning, type DecoderStream } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import type { Mp3FrameHeader } from './mp3-frame-header.ts';
import { Mp3FrameReader } from './mp3-frames.ts';
import { MP3_DECODER_DELAY, type Mp3Info, parseMp3InfoFrame } from './mp3-info-frame.ts';
import { trimEnd } from './trim-end.ts';

/** `packages/dsp/native/mp3.c` */
interface Mp3Calls {
  begin(): void;
  decode(count: number, samples: number, channels: number): number;
}

const decoders = createNativePool<Mp3Calls>(mp3Wasm, 2);

/**
 * Decodes MP3 (Layer III of MPEG-1, 2 and 2.5) without gaps: the samples that the encoder put before and
 * after the sound are removed where its Info frame tells them.
 *
 * `bytes → frames → minimp3 → less the delay → less the padding`. Garbage between frames is skipped and told
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
  const decoder = await decoders.borrow();
  const { calls, input, lengths } = decoder;
  const outputs = decoder.outputs.slice(0, header.channels);
  try {
    calls.begin();
    const hasGapless = info !== null && info.delay !== null && info.padding !== null;
    let skip = hasGapless ? (info.delay ?? 0) + MP3_DECODER_DELAY : 0;
    const tail = trimEnd(hasGapless ? Math.max(0, (info.padding ?? 0) - MP3_DECODER_DELAY) : 0);
    let decodedFrames = 0;
    let ended = false;
    while (!ended) {
      let count = 0;
      let bytes = 0;
      const take = (frame: Uint8Array): void => {
        input.set(frame, bytes);
        bytes += frame.length;
        lengths[count++] = frame.length;
      };
      if (held !== null) take(held);
      held = null;
      while (count < lengths.length) {
        const frame = await frames.next();
        ended = frame === null;
        if (frame === null) break;
        take(frame.bytes);
      }
      if (count === 0) break;
      decodedFrames += count;
      const damaged = calls.decode(count, header.frameSamples, header.channels);
      if (damaged > 0) reportDamage(warnings, damaged);
      const samples = count * header.frameSamples;
      const from = Math.min(skip, samples);
      skip -= from;
      for (const ready of tail.push(outputs.map((part) => part.slice(from, samples)))) yield ready;
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
    decoders.giveBack(decoder);
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
