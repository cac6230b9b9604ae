import { AudioFormatError } from './audio-format-error.ts';
import type { AudioInfo, AudioSource, Codec, DecoderOptions, DecoderStream } from './audio-source.ts';
import { ByteReader, type ReadFrom } from './byte-reader.ts';
import { openAiff } from './decode-aiff.ts';
import { openFlac } from './decode-flac.ts';
import { openMp3 } from './decode-mp3.ts';
import { openOpus } from './decode-opus.ts';
import { openVorbis } from './decode-vorbis.ts';
import { openWav } from './decode-wav.ts';
import { dropFrames } from './drop-frames.ts';
import { id3v2Length, isCodec, SNIFF_BYTES, sniffCodec } from './sniff-codec.ts';

/** How a file is to be opened. */
export interface AudioOptions extends DecoderOptions {
  /**
   * Sound beyond it ends decoding with `too_long`, counted by what is decoded; so does what holds more samples than
   * stereo at 192 kHz of this length: a small file of many channels could keep a machine busy for hours. With
   * `fileBytes`, a file whose header states more is refused before it is decoded, unless the file is too small to hold
   * what its header states: then the header is damaged, and what is there is decoded and counted.
   */
  maxDurationSeconds?: number;
  /** For a file that can be read anywhere: what lies far before `startFrame` is then not read where that can be. */
  readFrom?: ReadFrom;
}

/** Samples a second, over all audio channels, of the finest sound that may be as long as any other. */
const FINEST = 2 * 192_000;

const OPENERS: Record<Codec, (reader: ByteReader, options: DecoderOptions) => Promise<DecoderStream>> = {
  wav: openWav,
  aiff: openAiff,
  mp3: openMp3,
  flac: openFlac,
  ogg: openVorbis,
  opus: openOpus,
};

/**
 * Opens a file of sound given as chunks of bytes and decodes it as a stream, in bounded memory.
 *
 * The format is decided by the bytes. The first block is decoded before this returns, so that a file without
 * sound is an error here and not later. What can be decoded of a damaged or truncated file is decoded, in time
 * where the format allows it (lost FLAC blocks become silence), and told in `warnings`. With `startFrame` what comes
 * before is passed over: by arithmetic in WAV and AIFF, by headers in MP3 and FLAC, by decoding in Ogg.
 * @throws AudioFormatError here, and `too_long` from `blocks`
 */
export async function openAudio(
  chunks: AsyncIterable<Uint8Array>,
  options: AudioOptions = {},
): Promise<AudioSource> {
  const reader = new ByteReader(chunks, options.readFrom ?? null);
  try {
    const { startFrame = 0, maxDurationSeconds = Number.POSITIVE_INFINITY } = options;
    const opened = await openDecoder(reader, options);
    const blocks =
      opened.isStarted === true || startFrame === 0 ? opened.blocks : dropFrames(opened.blocks, startFrame);
    const decoder = { ...opened, blocks };
    const first = await blocks.next();
    if (first.done === true && startFrame === 0) {
      const format = decoder.info.codec.toUpperCase();
      throw new AudioFormatError(
        'no_samples',
        `a song must hold at least one sample (this ${format} holds none)`,
      );
    }
    const source = createSource(decoder, first.value ?? null, startFrame, maxDurationSeconds);
    const { fileBytes } = options;
    if (fileBytes !== undefined && statesTooLong(decoder.info, fileBytes, maxDurationSeconds)) {
      await source.close();
      const { declared_frames, sample_rate } = decoder.info;
      const stated = Math.round((declared_frames ?? 0) / sample_rate);
      throw new AudioFormatError(
        'too_long',
        `a song must last at most ${maxDurationSeconds} s (the header of this file states ${stated} s)`,
      );
    }
    return source;
  } catch (error) {
    await reader.close();
    throw error;
  }
}

async function openDecoder(reader: ByteReader, options: DecoderOptions): Promise<DecoderStream> {
  let head = await reader.fill(SNIFF_BYTES);
  if (head.length === 0) throw new AudioFormatError('empty', 'a file of sound must hold bytes (got 0)');
  let hasTag = false;
  for (let length = id3v2Length(head); length > 0; length = id3v2Length(head)) {
    hasTag = true;
    await reader.skip(length);
    head = await reader.fill(SNIFF_BYTES);
  }
  if (hasTag && head.length === 0) {
    throw new AudioFormatError(
      'truncated',
      'sound must follow the ID3 tag (the file ends inside or after it)',
    );
  }
  // Behind a tag even a stretch of junk may precede the first frame: the MP3 decoder searches on.
  const format = sniffCodec(head) ?? (hasTag ? 'mp3' : null);
  if (format === null) {
    throw new AudioFormatError(
      'not_audio',
      'the file must be WAV, AIFF, MP3, FLAC, Ogg or Opus (its bytes are no known sound)',
    );
  }
  if (!isCodec(format)) {
    const name = format.toUpperCase();
    throw new AudioFormatError(
      'unsupported_format',
      `the file must be WAV, AIFF, MP3, FLAC, Ogg or Opus (its bytes are ${name})`,
    );
  }
  return OPENERS[format](reader, options);
}

/** Bytes of a second of audio that each compressed format needs at the very least: silence, or its lowest bitrate. */
const LEAST_BYTES_PER_SECOND: Partial<Record<Codec, number>> = { flac: 5, mp3: 1000, ogg: 8, opus: 8 };

/** Whether the header states more than `maxSeconds`, in a file that is large enough to hold it. */
function statesTooLong(info: AudioInfo, fileBytes: number, maxSeconds: number): boolean {
  const { declared_frames, sample_rate, bits_per_sample, channels, codec } = info;
  if (declared_frames === null) return false;
  const seconds = declared_frames / sample_rate;
  if (seconds <= maxSeconds) return false;
  const pcmBytes = sample_rate * channels * Math.ceil((bits_per_sample ?? 0) / 8);
  return fileBytes >= seconds * (LEAST_BYTES_PER_SECOND[codec] ?? pcmBytes);
}

function createSource(
  decoder: DecoderStream,
  first: Float32Array[] | null,
  startFrame: number,
  maxDurationSeconds: number,
): AudioSource {
  const { sample_rate, channels } = decoder.info;
  const maxFrames = maxDurationSeconds * Math.min(sample_rate, FINEST / channels);
  let pending = first;
  let frames = startFrame;

  const blocks: AsyncIterableIterator<Float32Array[]> = {
    [Symbol.asyncIterator]: () => blocks,
    async next() {
      const block = pending ?? (await decoder.blocks.next()).value;
      pending = null;
      if (!block) return { done: true, value: undefined };
      frames += block[0]?.length ?? 0;
      if (frames > maxFrames) {
        await decoder.blocks.return();
        const most =
          sample_rate * channels > FINEST
            ? `${Math.floor(maxFrames / sample_rate)} s at ${channels} channels of ${sample_rate} Hz`
            : `${maxDurationSeconds} s`;
        throw new AudioFormatError('too_long', `a song must last at most ${most} (this one is longer)`);
      }
      return { done: false, value: block };
    },
    async return() {
      pending = null;
      await decoder.blocks.return();
      return { done: true, value: undefined };
    },
  };
  return {
    info: decoder.info,
    warnings: decoder.warnings,
    blocks,
    async close() {
      await blocks.return?.();
    },
  };
}
