/** The formats that become samples here; `ogg` is Vorbis in Ogg, `opus` is Opus in Ogg. */
export type Codec = 'wav' | 'aiff' | 'mp3' | 'flac' | 'ogg' | 'opus';

/**
 * What a file says and what its first bytes show about its sound.
 *
 * `bitrate` is in bits per second; `declared_frames` counts sample frames (one sample of every audio
 * channel) after gapless trimming, null where the file does not say it or is chained of several. Declared values are what the file claims: good enough to show, never
 * to size memory by.
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
 * Something a listener should know about a file that was decoded all the same.
 *
 * - `truncated`: the file ends before what it declares; `count` is the missing sample frames, 0 if unknown.
 * - `damaged`: parts could not be decoded; `count` is the number of such places.
 * - `other_stream`: what follows in the file is sound of another shape, and was left out.
 * - `invalid_samples`: samples that are no number, or beyond ±10⁶, were replaced by 0; `count` of them.
 */
export interface AudioWarning {
  code: 'truncated' | 'damaged' | 'other_stream' | 'invalid_samples';
  message: string;
  count: number;
}

/**
 * A sound being decoded: `bytes → container → codec → blocks`.
 *
 * `blocks` can be walked once. A block holds one Float32Array for each audio channel, all of one length,
 * full scale ±1 (float files may go beyond). Whoever opens a source either walks `blocks` to the end,
 * leaves its loop early, or calls `close()`: each of them gives back the decoder's memory and the input.
 * `warnings` grows while decoding and is complete when `blocks` has ended.
 */
export interface AudioSource {
  readonly info: AudioInfo;
  readonly warnings: readonly AudioWarning[];
  readonly blocks: AsyncIterable<Float32Array[]>;
  close(): Promise<void>;
}

/** The last `bytes` bytes of the file being opened, or all of it where it is shorter. */
export type ReadEnd = (bytes: number) => Promise<Uint8Array>;

/** What is known of where the frames of an MP3 begin. */
export interface Mp3Places {
  /** Bytes at which frames 0, 64, 128 and so on begin, as far as the file was walked without meeting damage. */
  readonly bytes: number[];
  /** Whether damage was met: behind it no frame is where a constant bitrate would have it. */
  hasDamage: boolean;
}

/** How a decoder is to be opened. */
export interface DecoderOptions {
  /** For a file that can be read anywhere: how long Ogg is stands on its last page only. */
  readEnd?: ReadEnd;
  /**
   * The sample frame with which `blocks` begin; 0 where it is left out. From there on the samples are those of a decode
   * from the beginning, to the bit. Past the end of the file there are none.
   */
  startFrame?: number;
  /**
   * Where frames of an MP3 begin: `openAudio` goes by it and adds to it. Kept from one opening of a file to the next, it
   * spares a later one the way to its `startFrame`.
   */
  places?: Mp3Places;
  /** For a file that can be read anywhere: its length in bytes, without which a FLAC is read up to `startFrame`. */
  fileBytes?: number;
}

/** What a decoder hands to `openAudio`: its blocks have not been started yet. */
export interface DecoderStream {
  /** Whether blocks begin with `startFrame`; else they begin with the file. */
  readonly isStarted?: boolean;
  readonly info: AudioInfo;
  readonly warnings: readonly AudioWarning[];
  readonly blocks: AsyncGenerator<Float32Array[], void, undefined>;
}

/** Adds `count` to the warning of that code, creating it when it is the first; `message` is always the newest. */
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
