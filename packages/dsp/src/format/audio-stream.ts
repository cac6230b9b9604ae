import { AudioFormatError } from './audio-format-error.ts';
import type { AudioInfo, AudioSource, Codec, DecoderOptions, DecoderStream } from './audio-source.ts';
import { ByteReader, type ReadFrom } from './byte-reader.ts';
import { openAiff } from './decode-aiff.ts';
import { openWav } from './decode-wav.ts';
import { dropFrames } from './drop-frames.ts';
import { id3v2Length, isCodec, SNIFF_BYTES, sniffCodec } from './sniff-codec.ts';

/** Options of `openAudio`. */
export interface AudioOptions extends DecoderOptions {
  /**
   * Duration of decoded audio after which decoding ends with `too_long`.
   *
   * Decoding also ends after as many samples as stereo at 192 kHz of this length has: a small file with many channels
   * could keep a machine busy for hours. With `fileBytes`, a file whose header states more is rejected before decoding,
   * unless it is too small to contain that much: then the header counts as damaged and the decoded audio is counted.
   */
  maxDurationSeconds?: number;
  /** For a seekable file: bytes far before `startFrame` are skipped where the format allows it. */
  readFrom?: ReadFrom;
}

/** Samples per second, over all channels, up to which a file may have the full duration. */
const MAX_SAMPLES_PER_SECOND = 2 * 192_000;

type OpenDecoder = (reader: ByteReader, options: DecoderOptions) => Promise<DecoderStream>;

/** Decoders by format. Those of compressed formats contain megabytes of code, and are loaded for the first such file. */
const LOADERS: Record<Codec, () => OpenDecoder | Promise<OpenDecoder>> = {
  wav: () => openWav,
  aiff: () => openAiff,
  mp3: async () => (await import('./decode-mp3.ts')).openMp3,
  flac: async () => (await import('./decode-flac.ts')).openFlac,
  ogg: async () => (await import('./decode-vorbis.ts')).openVorbis,
  opus: async () => (await import('./decode-opus.ts')).openOpus,
};

/**
 * Decodes an audio file, given as chunks of bytes, as a stream in bounded memory.
 *
 * The format is detected from the bytes. The first block is decoded before this returns, so that a file without audio
 * fails here. Of a damaged or truncated file everything that can be decoded is decoded, at its position where the
 * format allows it (lost FLAC blocks become silence), and reported in `warnings`. `startFrame` is reached by arithmetic
 * in WAV and AIFF, by frame headers in MP3 and FLAC, by decoding in Ogg.
 * @throws AudioFormatError from this function, and `too_long` from `blocks`
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
  if (head.length === 0) throw new AudioFormatError('empty', 'an audio file must not be empty (got 0 bytes)');
  let hasTag = false;
  for (let length = id3v2Length(head); length > 0; length = id3v2Length(head)) {
    hasTag = true;
    await reader.skip(length);
    head = await reader.fill(SNIFF_BYTES);
  }
  if (hasTag && head.length === 0) {
    throw new AudioFormatError(
      'truncated',
      'audio must follow the ID3 tag (the file ends inside or after it)',
    );
  }
  // After a tag other data may precede the first frame: the MP3 decoder searches for it.
  const format = sniffCodec(head) ?? (hasTag ? 'mp3' : null);
  if (format === null) {
    throw new AudioFormatError(
      'not_audio',
      'the file must be WAV, AIFF, MP3, FLAC, Ogg or Opus (its bytes are in no known format)',
    );
  }
  if (!isCodec(format)) {
    const name = format.toUpperCase();
    throw new AudioFormatError(
      'unsupported_format',
      `the file must be WAV, AIFF, MP3, FLAC, Ogg or Opus (its bytes are ${name})`,
    );
  }
  const open = await LOADERS[format]();
  return open(reader, options);
}

/** Least bytes per second of audio in each compressed format: for silence, or at its lowest bitrate. */
const LEAST_BYTES_PER_SECOND: Partial<Record<Codec, number>> = { flac: 5, mp3: 1000, ogg: 8, opus: 8 };

/** Returns whether the header states more than `maxSeconds` and the file is large enough to contain it. */
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
  const maxFrames = maxDurationSeconds * Math.min(sample_rate, MAX_SAMPLES_PER_SECOND / channels);
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
          sample_rate * channels > MAX_SAMPLES_PER_SECOND
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
