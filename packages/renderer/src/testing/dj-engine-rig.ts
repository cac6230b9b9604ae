import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { DjEngine } from '../dj-engine/dj-engine.ts';
import type { ChannelStripSetting, DjEngineReport, MasterSetting } from '../dj-engine/dj-engine-messages.ts';
import { CHUNK_FRAMES, chunkCount } from '../sources/chunk.ts';

/** Sample of a song, full scale ±1, by its sample frame. */
export type SampleAt = (frame: number) => number;

/** A song of a test. */
export interface TestSong {
  frames: number;
  sources: readonly SampleAt[];
  sampleRateHz?: number;
  beats?: readonly number[];
  downbeats?: readonly number[];
}

/** A channel strip at rest. */
export const restingStrip: ChannelStripSetting = {
  gain: 1,
  low: 1,
  mid: 1,
  high: 1,
  filter: 0,
  volume: 1,
  isCued: false,
};

/** Mixer settings with both decks at full level. */
export const openMaster: MasterSetting = {
  crossfader: -1,
  curve: 'constant power',
  volume: 1,
  headphoneVolume: 1,
  headphoneMix: -1,
};

/** A DJ engine without a browser: songs from functions, rendered as fast as possible. */
export class DjEngineRig {
  readonly kernel: DjEngine;
  readonly rateHz: number;
  #id = 0;
  #load = 0;
  #frames = 0;

  constructor(rateHz = 44_100) {
    this.rateHz = rateHz;
    this.kernel = new DjEngine(rateHz);
    this.kernel.apply({ type: 'master', master: openMaster });
  }

  /** Loads a deck; with `isWhole` false without samples. Returns the number of the load. */
  load(deck: DeckId, song: TestSong, options: { isWhole?: boolean; keepsPosition?: boolean } = {}): number {
    const load = ++this.#load;
    this.kernel.apply({
      type: 'load',
      deck,
      load,
      sampleRateHz: song.sampleRateHz ?? 44_100,
      frames: song.frames,
      sources: song.sources.map(() => ({ channels: 1 })),
      keepsPosition: options.keepsPosition ?? false,
    });
    if (song.beats) {
      const beats = Float64Array.from(song.beats);
      this.kernel.apply({ type: 'grid', deck, beats, downbeats: Float64Array.from(song.downbeats ?? []) });
    }
    if (options.isWhole ?? true) {
      for (let index = 0; index < chunkCount(song.frames); index++) this.chunk(deck, load, song, index);
    }
    return load;
  }

  /** Sends chunk `index` of all sources, or of one. */
  chunk(deck: DeckId, load: number, song: TestSong, index: number, only?: number): void {
    for (const [source, sampleAt] of song.sources.entries()) {
      if (only !== undefined && only !== source) continue;
      const samples = Float32Array.from({ length: CHUNK_FRAMES }, (_, n) =>
        sampleAt(index * CHUNK_FRAMES + n),
      );
      this.kernel.apply({ type: 'chunk', deck, load, source, index, samples });
    }
  }

  play(deck: DeckId, keepsPhase = false): void {
    this.kernel.apply({ type: 'play', deck, keepsPhase, id: ++this.#id });
  }

  pause(deck: DeckId): void {
    this.kernel.apply({ type: 'pause', deck, id: ++this.#id });
  }

  seek(deck: DeckId, frame: number, keepsPhase = false): void {
    this.kernel.apply({ type: 'seek', deck, frame, keepsPhase, id: ++this.#id });
  }

  loop(deck: DeckId, startFrame: number, endFrame: number): void {
    this.kernel.apply({ type: 'loop', deck, loop: { startFrame, endFrame }, id: ++this.#id });
  }

  unloop(deck: DeckId): void {
    this.kernel.apply({ type: 'loop', deck, loop: null, id: ++this.#id });
  }

  tempo(deck: DeckId, rate: number, isKeyLocked = false, semitones = 0): void {
    this.kernel.apply({ type: 'tempo', deck, rate, isKeyLocked, semitones });
  }

  strip(deck: DeckId, changes: Partial<ChannelStripSetting>): void {
    this.kernel.apply({ type: 'strip', deck, strip: { ...restingStrip, ...changes } });
  }

  master(changes: Partial<MasterSetting>): void {
    this.kernel.apply({ type: 'master', master: { ...openMaster, ...changes } });
  }

  /** Renders the next `frames` samples of master and headphones, left channel. */
  render(frames: number): { master: Float32Array; headphones: Float32Array } {
    const length = Math.ceil(frames / 128) * 128;
    const master = new Float32Array(length);
    const headphones = new Float32Array(length);
    const right = new Float32Array(128);
    for (let at = 0; at < length; at += 128) {
      const head = headphones.subarray(at, at + 128);
      this.kernel.process(master.subarray(at, at + 128), right, head, new Float32Array(128), 128);
    }
    this.#frames += length;
    return { master, headphones };
  }

  /** Renders the master without the limiter's delay: the mix, sample for sample. */
  renderMaster(frames: number): Float32Array {
    return this.render(frames + this.kernel.delayFrames).master.subarray(this.kernel.delayFrames);
  }

  /** Samples rendered so far. */
  get rendered(): number {
    return this.#frames;
  }

  get report(): DjEngineReport {
    return this.kernel.report(this.#frames / this.rateHz);
  }

  frameOf(deck: DeckId): number {
    return this.report.decks[deck].frame;
  }
}
