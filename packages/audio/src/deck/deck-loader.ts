import { CHUNK_FRAMES, type ChunkSamples } from '@stem-studio/renderer/sources/chunk';
import { Scope } from '../base/scope.ts';
import { type DeckSource, type DeckSourceOptions, openDeckSource } from './deck-source.ts';
import { DeckStemPeaks } from './deck-stem-peaks.ts';

/** A deck is ready when this much from its position on is loaded. */
const READY_SECONDS = 2;

/** A track, and optionally a separation of it, to load on a deck. */
export interface LoadRequest {
  trackId: string;
  /** The separation whose stems are loaded; null for the song. */
  processingJobId: string | null;
}

/** Receives the events of a loader. */
export interface DeckLoaderEvents {
  /** Playback could start from the deck's position; called once, before any chunk. */
  ready(loader: DeckLoader, source: DeckSource): void;
  /** A chunk has arrived, including those from before `ready`. */
  chunk(source: number, index: number, samples: ChunkSamples): void;
  /** A chunk that was passed on has to be dropped. */
  dropped(source: number, index: number): void;
  failed(loader: DeckLoader, error: unknown): void;
}

/** Loads one source for a deck. Holds back its first chunks until it can play from the deck's position. */
export class DeckLoader {
  readonly #scope = new Scope();
  readonly #positionSeconds: () => number;
  readonly #events: DeckLoaderEvents;
  #source: DeckSource | null = null;
  #stemPeaks: DeckStemPeaks | null = null;
  /** Positions whose audio stays loaded, in seconds of the song. */
  #pinnedSeconds: readonly number[] = [];
  /** Chunks that are held back; null once it is ready. */
  #earlyChunks: { source: number; index: number; samples: ChunkSamples }[] | null = [];

  /** @param positionSeconds returns the deck's position */
  constructor(
    request: LoadRequest,
    tools: DeckSourceOptions,
    positionSeconds: () => number,
    events: DeckLoaderEvents,
  ) {
    this.#positionSeconds = positionSeconds;
    this.#events = events;
    void this.#open(request, tools);
  }

  /** Whether the source is opened: a loader that failed before cannot continue. */
  get isOpen(): boolean {
    return this.#source !== null;
  }

  /** Loaded part of all chunks, 0 to 1. */
  get loadedRatio(): number {
    return this.#source?.loader.loadedRatio ?? 0;
  }

  /** Waveforms of the stems, as far as they were loaded; null for a song without stems. */
  get stemPeaks(): DeckStemPeaks | null {
    return this.#stemPeaks;
  }

  /** Whether the song loads as it plays. */
  get isStreaming(): boolean {
    return this.#source?.loader.isStreaming ?? false;
  }

  /** Sets the positions whose audio stays loaded, in seconds of the song; the most important first. */
  pin(seconds: readonly number[]): void {
    this.#pinnedSeconds = seconds;
    const { sampleRateHz = 0, loader } = this.#source ?? {};
    loader?.pin(seconds.map((position) => position * sampleRateHz));
  }

  /** Sets the playback position in seconds and the active loop. */
  moveTo(
    seconds: number,
    loop: { startSeconds: number; endSeconds: number } | null,
    isJump: boolean,
    isReversed = false,
  ): void {
    const { sampleRateHz = 0, loader } = this.#source ?? {};
    const frames = loop && {
      startFrame: loop.startSeconds * sampleRateHz,
      endFrame: loop.endSeconds * sampleRateHz,
    };
    loader?.moveTo(seconds * sampleRateHz, frames, isJump, isReversed);
  }

  /** Continues after a connection failure. */
  retry(): void {
    this.#source?.loader.retry();
  }

  /** Stops; no event follows. */
  close(): void {
    this.#scope.dispose();
    this.#earlyChunks = null;
  }

  async #open({ trackId, processingJobId }: LoadRequest, tools: DeckSourceOptions): Promise<void> {
    const scope = this.#scope;
    const failed = (error: unknown) => {
      if (!scope.isDisposed) this.#events.failed(this, error);
    };
    const loading = {
      arrived: (source: number, index: number, samples: ChunkSamples) =>
        this.#arrived(source, index, samples),
      dropped: (source: number, index: number) => this.#dropped(source, index),
      failed,
    };
    try {
      const source = await openDeckSource(trackId, processingJobId, tools, loading, scope);
      if (scope.isDisposed) return;
      this.#source = source;
      this.#stemPeaks = DeckStemPeaks.of(source);
      this.moveTo(this.#positionSeconds(), null, true);
      this.pin(this.#pinnedSeconds);
      source.loader.fill();
      this.#offer();
    } catch (error) {
      failed(error);
    }
  }

  #arrived(source: number, index: number, samples: ChunkSamples): void {
    if (this.#scope.isDisposed) return;
    // Samples leave with the event: their buffer is transferred to the engine.
    this.#stemPeaks?.add(source, index, samples);
    if (!this.#earlyChunks) {
      this.#events.chunk(source, index, samples);
      return;
    }
    this.#earlyChunks.push({ source, index, samples });
    this.#offer();
  }

  #offer(): void {
    const earlyChunks = this.#earlyChunks;
    const source = this.#source;
    if (!earlyChunks || !source || !this.#isReady(source)) return;
    this.#earlyChunks = null;
    this.#events.ready(this, source);
    for (const { source, index, samples } of earlyChunks) this.#events.chunk(source, index, samples);
  }

  #dropped(source: number, index: number): void {
    if (this.#earlyChunks)
      this.#earlyChunks = this.#earlyChunks.filter((one) => one.source !== source || one.index !== index);
    else if (!this.#scope.isDisposed) this.#events.dropped(source, index);
  }

  /** Whether all sources of the next two seconds are loaded. */
  #isReady({ sources, frames, sampleRateHz }: DeckSource): boolean {
    const from = Math.min(this.#positionSeconds() * sampleRateHz, frames - 1);
    const to = from + READY_SECONDS * sampleRateHz;
    return sources.every((shape, source) => {
      const last = Math.floor(Math.min(to, shape.frames - 1) / CHUNK_FRAMES);
      for (let index = Math.floor(from / CHUNK_FRAMES); index <= last; index++) {
        if (!this.#earlyChunks?.some((chunk) => chunk.index === index && chunk.source === source))
          return false;
      }
      return true;
    });
  }
}
