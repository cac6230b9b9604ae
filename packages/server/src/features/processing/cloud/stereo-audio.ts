import { createReadStream } from 'node:fs';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { downmixToStereo } from '@stem-studio/dsp/format/downmix';
import { createResampler } from '@stem-studio/dsp/signal/resample';
import { readEnd } from '../../../platform/files/read-end.ts';

/** Sample rate of every stem, in Hz. */
export const stemSampleRate = 44_100;

/** Left and right channel, of the same length. */
export type Stereo = readonly [Float32Array, Float32Array];

/** Audio of any supported format as 44.1 kHz stereo, one block at a time. */
export interface StereoAudio {
  readonly info: AudioInfo;
  readonly blocks: AsyncGenerator<Stereo, void, undefined>;
}

/** Limits for reading a file. */
export interface StereoOptions {
  /** Length in seconds at which the audio is cut; null for all of it. */
  readonly maxSeconds: number | null;
  /** Longer audio is refused, unless it is cut before that. */
  readonly maxDurationSeconds: number;
}

/**
 * Opens an audio file.
 *
 * @throws AudioFormatError here, or while blocks are read
 */
export async function openStereo(path: string, options: StereoOptions): Promise<StereoAudio> {
  const isCut = options.maxSeconds !== null && options.maxSeconds <= options.maxDurationSeconds;
  const source = await openAudio(createReadStream(path, { highWaterMark: 1 << 18 }), {
    ...(isCut ? {} : { maxDurationSeconds: options.maxDurationSeconds }),
    readEnd: (bytes) => readEnd(path, bytes),
  });
  const most = isCut ? Math.round((options.maxSeconds ?? 0) * stemSampleRate) : Number.POSITIVE_INFINITY;
  return { info: source.info, blocks: stereoOf(source, most) };
}

async function* stereoOf(
  source: Awaited<ReturnType<typeof openAudio>>,
  most: number,
): AsyncGenerator<Stereo, void, undefined> {
  const resampler = createResampler({
    fromRate: source.info.sample_rate,
    toRate: stemSampleRate,
    channels: 2,
  });
  let frames = 0;
  const cut = ([left, right]: Float32Array[]): Stereo => {
    const [l, r] = [left ?? new Float32Array(0), right ?? new Float32Array(0)];
    const count = Math.min(l.length, most - frames);
    frames += count;
    return [l.subarray(0, count), r.subarray(0, count)];
  };
  try {
    for await (const block of source.blocks) {
      yield cut(resampler.process(downmixToStereo(block)));
      if (frames >= most) return;
    }
    yield cut(resampler.flush());
  } finally {
    await source.close();
  }
}

/** Reads audio in blocks of any number of frames; returns silence beyond the end. */
export class StereoReader {
  readonly #audio: StereoAudio;
  #rest: Stereo = [new Float32Array(0), new Float32Array(0)];
  /** Number of frames read so far, without the silence. */
  frames = 0;

  constructor(audio: StereoAudio) {
    this.#audio = audio;
  }

  /** Returns the next `count` frames. */
  async take(count: number): Promise<Stereo> {
    const taken: Stereo = [new Float32Array(count), new Float32Array(count)];
    let at = 0;
    while (at < count) {
      const [left, right] = this.#rest;
      if (left.length === 0) {
        const next = await this.#audio.blocks.next();
        if (next.done === true) break;
        this.#rest = next.value;
        continue;
      }
      const some = Math.min(left.length, count - at);
      taken[0].set(left.subarray(0, some), at);
      taken[1].set(right.subarray(0, some), at);
      this.#rest = [left.subarray(some), right.subarray(some)];
      at += some;
    }
    this.frames += at;
    return taken;
  }

  /** Releases the decoder. */
  async close(): Promise<void> {
    await this.#audio.blocks.return();
  }
}
