/** Formats that are decoded here; `ogg` is Vorbis in Ogg, `opus` is Opus in Ogg. */
export type Codec = 'wav' | 'aiff' | 'mp3' | 'flac' | 'ogg' | 'opus';

/**
 * Properties of the audio in a file, from its headers.
 *
 * `bitrate` is in bits per second; `declared_frames` counts sample frames (one sample of every audio channel) after
 * gapless trimming, null if the file does not state it or is a chain of streams. Declared values are claims of the
 * file: good enough to display, never to size memory by.
 */
export interface AudioInfo {
  codec: Codec;
  sample_rate: number;
  channels: number;
  bits_per_sample: number | null;
  bitrate: number | null;
  declared_frames: number | null;
}

/**
 * A problem of a file that could be decoded all the same.
 *
 * - `truncated`: the file ends before its declared end; `count` is the missing sample frames, 0 if unknown.
 * - `damaged`: parts could not be decoded; `count` is the number of such regions.
 * - `other_stream`: the file goes on in another sample rate or number of channels; that part is not decoded.
 * - `invalid_samples`: `count` samples that are not numbers, or beyond ±10⁶, were replaced by 0.
 */
export interface AudioWarning {
  code: 'truncated' | 'damaged' | 'other_stream' | 'invalid_samples';
  message: string;
  count: number;
}

/**
 * Source of decoded audio: `bytes → container → codec → blocks`.
 *
 * `blocks` can be iterated once. A block holds one Float32Array for each audio channel, all of one length, full scale
 * ±1 (float files may exceed it). The caller iterates `blocks` to the end, breaks off, or calls `close()`: each
 * releases the decoder's memory and the input. `warnings` grows while decoding and is complete when `blocks` has ended.
 */
export interface AudioSource {
  readonly info: AudioInfo;
  readonly warnings: readonly AudioWarning[];
  readonly blocks: AsyncIterable<Float32Array[]>;
  close(): Promise<void>;
}

/** Returns the last `bytes` bytes of the file being opened, or all of a shorter file. */
export type ReadEnd = (bytes: number) => Promise<Uint8Array>;

/** Known byte offsets of the frames of an MP3. */
export interface Mp3FrameIndex {
  /** Byte offsets of frames 0, 64, 128 and so on, up to where the file was read, or up to the first damage. */
  readonly offsets: number[];
  /** Whether damage was found: after it no frame is at the offset that a constant bitrate predicts. */
  hasDamage: boolean;
}

/** Options of a decoder. */
export interface DecoderOptions {
  /** For a seekable file: the length of an Ogg stream is stated only on its last page. */
  readEnd?: ReadEnd;
  /**
   * The sample frame at which `blocks` begin, 0 by default. From there on the samples are bit-identical to those of a
   * decode from the start. There are none from the end of the file on.
   */
  startFrame?: number;
  /**
   * Index of the frames of an MP3, used and extended by `openAudio`. A caller that opens the same file several times
   * keeps it, so that later seeks need not read the frames before `startFrame`.
   */
  mp3Index?: Mp3FrameIndex;
  /** For a seekable file: its length in bytes. Without it a FLAC is read up to `startFrame`. */
  fileBytes?: number;
}

/** Output of a decoder before its first block is requested. */
export interface DecoderStream {
  /** Whether blocks begin at `startFrame`; otherwise at the start of the file. */
  readonly isStarted?: boolean;
  readonly info: AudioInfo;
  readonly warnings: readonly AudioWarning[];
  readonly blocks: AsyncGenerator<Float32Array[], void, undefined>;
}

/** Adds `count` to the warning of this code, which is created when missing, and updates its message. */
export function addWarning(
  warnings: AudioWarning[],
  code: AudioWarning['code'],
  count: number,
  message: (count: number) => string,
): void {
  const known = warnings.find((warning) => warning.code === code);
  if (known === undefined) {
    warnings.push({ code, count, message: message(count) });
    return;
  }
  known.count += count;
  known.message = message(known.count);
}
