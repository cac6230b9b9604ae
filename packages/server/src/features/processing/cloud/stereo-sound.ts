import { createReadStream } from 'node:fs';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { downmixToStereo } from '@stem-studio/dsp/format/downmix';
import { createResampler } from '@stem-studio/dsp/signal/resample';
import { readEnd } from '../../../platform/files/read-end.ts';

/** The rate of every stem, in Hz. */
export const stemSampleRate = 44_100;

/** Left and right, of one length. */
export type Stereo = readonly [Float32Array, Float32Array];

/** A sound file of any kind as 44.1 kHz stereo, a block at a time. */
export interface StereoSound {
  readonly info: AudioInfo;
  readonly blocks: AsyncGenerator<Stereo, void, undefined>;
}

/** What is read of a file. */
export interface StereoOptions {
  /** Ends the sound there; null for all of it. */
  readonly maxSeconds: number | null;
  /** A longer sound is refused, unless it is cut before. */
  readonly maxDurationSeconds: number;
}

/** Opens a sound file. @throws AudioFormatError here, or while blocks are read */
export async function openStereo(path: string, options: StereoOptions): Promise<StereoSound> {
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

/** Takes a sound so many frames at a time; beyond its end there is silence. */
export class StereoReader {
  readonly #sound: StereoSound;
  #rest: Stereo = [new Float32Array(0), new Float32Array(0)];
  /** Frames that there were in it, as far as it has been read. */
  frames = 0;

  constructor(sound: StereoSound) {
    this.#sound = sound;
  }

  /** The next so many frames. */
  async take(count: number): Promise<Stereo> {
    const taken: Stereo = [new Float32Array(count), new Float32Array(count)];
    let at = 0;
    while (at < count) {
      const [left, right] = this.#rest;
      if (left.length === 0) {
        const next = await this.#sound.blocks.next();
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

  /** Gives back what the decoder holds. */
  async close(): Promise<void> {
    await this.#sound.blocks.return();
  }
}
