import { createReadStream } from 'node:fs';
import type { AudioSource } from '@stem-studio/dsp/format/audio-source';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { downmixToStereo } from '@stem-studio/dsp/format/downmix';
import { FADE_SECONDS, fadeInGain } from '@stem-studio/renderer/gain/fade-curve';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { StemMixer } from '@stem-studio/renderer/stem-mixer/stem-mixer';
import type { StemTone } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import { readEnd } from '../../../platform/files/read-end.ts';
import { chunkBlocks } from '../chunk-blocks.ts';

/** A stem or song of a mix. */
export interface MixStrip {
  /** Absolute path of its file. */
  readonly path: string;
  /** Fader, linear. */
  readonly gain: number;
  readonly tone: StemTone;
}

/** What a mix plays. */
export interface RenderedMix {
  readonly strips: readonly MixStrip[];
  /** Tempo as a factor of the recorded one. */
  readonly rate: number;
  readonly semitones: number;
  /** Part of the song in seconds; null for all of it. */
  readonly range: { readonly start: number; readonly end: number } | null;
  /** Expected length of the song in seconds, for the progress. */
  readonly durationSeconds: number;
  /** Longer files are refused. */
  readonly maxDurationSeconds: number;
}

/** Output frames that are rendered at once. */
const BLOCK_FRAMES = 8192;
/** Audio around the position that the renderer may read, in seconds of output. */
const REACH_SECONDS = 1;

/** An opened strip whose samples are loaded chunk by chunk. */
interface Feed {
  readonly source: AudioSource;
  readonly channels: 1 | 2;
  readonly chunks: AsyncGenerator<Float32Array<ArrayBuffer>, undefined>;
  /** Frames up to the end; unknown until it has been read. */
  frames: number | null;
}

/**
 * Renders a mix as the stem player of the page does, by the same renderer. The result begins at the first sample of the
 * range and has its length divided by the rate. A few seconds of each file are held at a time.
 */
export class MixRendering {
  readonly sampleRateHz: number;
  readonly #mix: RenderedMix;
  readonly #feeds: readonly Feed[];
  readonly #mixer: StemMixer;
  readonly #reachFrames: number;
  readonly #silence = new Float32Array(2 * CHUNK_FRAMES);
  #loaded = 0;
  #dropped = 0;

  private constructor(mix: RenderedMix, feeds: readonly Feed[], sampleRateHz: number) {
    this.#mix = mix;
    this.#feeds = feeds;
    this.sampleRateHz = sampleRateHz;
    this.#reachFrames =
      Math.ceil(REACH_SECONDS * sampleRateHz * Math.max(1, mix.rate)) + BLOCK_FRAMES * Math.ceil(mix.rate);
    this.#mixer = new StemMixer(sampleRateHz);
    this.#setUp();
  }

  /** Opens the files. Throws where they have no audio, or different sample rates. */
  static async open(mix: RenderedMix): Promise<MixRendering> {
    const feeds: Feed[] = [];
    try {
      for (const { path } of mix.strips) feeds.push(await openFeed(path, mix.maxDurationSeconds));
      const rates = new Set(feeds.map(({ source }) => source.info.sample_rate));
      const [rateHz] = rates;
      if (rateHz === undefined || rates.size > 1)
        throw new Error(`the stems of a mix must have one sample rate (got ${[...rates].join(', ')} Hz)`);
      return new MixRendering(mix, feeds, rateHz);
    } catch (error) {
      for (const { source } of feeds) await source.close();
      throw error;
    }
  }

  #setUp(): void {
    const { rate, semitones, strips, maxDurationSeconds } = this.#mix;
    const { sampleRateHz } = this;
    // The end is known when it has been read: declared lengths are claims of the files.
    const frames = Math.ceil((maxDurationSeconds + 2 * REACH_SECONDS) * sampleRateHz);
    this.#apply({
      type: 'setup',
      sampleRateHz,
      stems: this.#feeds.map(({ channels }) => ({ frames, channels })),
    });
    this.#apply({ type: 'tempo', rate, semitones, isKeyLocked: true });
    this.#apply({
      type: 'gains',
      gains: strips.map(({ gain }) => gain),
      tones: strips.map(({ tone }) => tone),
    });
    this.#apply({ type: 'seek', frame: this.#startFrame, id: 1 });
  }

  get #startFrame(): number {
    return Math.round((this.#mix.range?.start ?? 0) * this.sampleRateHz);
  }

  /** Frames from the start of the song to the end of the range, infinite until the end of the song is known. */
  get #endFrame(): number {
    const lengths = this.#feeds.map(({ frames }) => frames ?? Number.POSITIVE_INFINITY);
    const wanted = (this.#mix.range?.end ?? Number.POSITIVE_INFINITY) * this.sampleRateHz;
    return Math.min(Math.round(wanted), Math.max(...lengths));
  }

  /**
   * Yields the rendered blocks, left and right.
   *
   * @param onProgress called with the rendered fraction
   */
  async *blocks(onProgress: (fraction: number) => void = () => {}): AsyncGenerator<Float32Array[]> {
    const { rate, range, durationSeconds } = this.#mix;
    const expected = Math.min(range?.end ?? durationSeconds, durationSeconds) * this.sampleRateHz;
    const start = this.#startFrame;
    await this.#load();
    this.#apply({ type: 'play', id: 2 });
    let toSkip = this.#mixer.delayFrames;
    let written = 0;
    for (;;) {
      await this.#load();
      const length = Math.round((this.#endFrame - start) / rate);
      if (written >= length) return;
      const block = [new Float32Array(BLOCK_FRAMES), new Float32Array(BLOCK_FRAMES)] as const;
      this.#mixer.process(block[0], block[1], BLOCK_FRAMES);
      const from = Math.min(toSkip, BLOCK_FRAMES);
      const to = Math.min(BLOCK_FRAMES, from + length - written);
      toSkip -= from;
      if (to <= from) continue;
      const part = block.map((samples) => samples.subarray(from, to));
      if (range) this.#fadeOut(part, length - written);
      written += to - from;
      onProgress(Math.min(1, (this.#mixer.position - start) / Math.max(1, expected - start)));
      yield part;
    }
  }

  /** Closes the files. */
  async close(): Promise<void> {
    for (const { source } of this.#feeds) await source.close();
  }

  readonly #apply: StemMixer['apply'] = (command) => this.#mixer.apply(command);

  /** Fades out the last samples of a range, which ends in the middle of the music. */
  #fadeOut(block: readonly Float32Array[], left: number): void {
    const fade = Math.floor(FADE_SECONDS * this.sampleRateHz);
    for (const samples of block)
      for (let n = Math.max(0, left - fade); n < samples.length; n++)
        samples[n]! *= fadeInGain((left - n - 0.5) / fade);
  }

  async #load(): Promise<void> {
    const { position } = this.#mixer;
    while (this.#loaded * CHUNK_FRAMES < position + this.#reachFrames) {
      const index = this.#loaded++;
      // Of the part before a range nothing is kept.
      const isKept = (index + 1) * CHUNK_FRAMES >= position - this.#reachFrames;
      for (const [stem, feed] of this.#feeds.entries()) {
        const samples = await nextChunk(feed);
        if (isKept) this.#apply({ type: 'chunk', stem, index, samples: samples ?? this.#silence });
      }
    }
    while ((this.#dropped + 1) * CHUNK_FRAMES < position - this.#reachFrames) {
      const index = this.#dropped++;
      for (const stem of this.#feeds.keys()) this.#apply({ type: 'drop', stem, index });
    }
  }
}

async function openFeed(path: string, maxDurationSeconds: number): Promise<Feed> {
  const source = await openAudio(createReadStream(path, { highWaterMark: 1 << 18 }), {
    maxDurationSeconds,
    readEnd: (count) => readEnd(path, count),
  });
  const channels = source.info.channels === 1 ? 1 : 2;
  const feed: Feed = { source, channels, chunks: chunkBlocks(counted(), channels), frames: null };
  let frames = 0;
  async function* counted(): AsyncGenerator<Float32Array[]> {
    for await (const block of source.blocks) {
      frames += block[0]?.length ?? 0;
      yield block.length > 2 ? downmixToStereo(block) : block;
    }
    feed.frames = frames;
  }
  return feed;
}

/** Returns the next chunk, or null after the end. */
async function nextChunk(feed: Feed): Promise<Float32Array<ArrayBuffer> | null> {
  const { value } = await feed.chunks.next();
  return value ?? null;
}
