import { CHUNK_FRAMES, type ChunkSamples } from '@stem-studio/renderer/sources/chunk';
import { Scope } from '../base/scope.ts';
import { type DeckSource, type DeckSourceOptions, openDeckSource } from './deck-source.ts';

/** A deck is ready when so much from its place on is here. */
const READY_SECONDS = 2;

/** What a deck is to load. */
export interface LoadRequest {
  trackId: string;
  /** The separation whose stems are wished; null for the song. */
  processingJobId: string | null;
}

/** Who hears of a sound that comes in. */
export interface DeckLoaderEvents {
  /** It could play from where the deck is; sent once, before any chunk. */
  ready(loader: DeckLoader, sound: DeckSource): void;
  /** A chunk has come, those among them that came before it was ready. */
  chunk(source: number, index: number, samples: ChunkSamples): void;
  /** A chunk that was sent before has to go. */
  dropped(source: number, index: number): void;
  failed(loader: DeckLoader, error: unknown): void;
}

/** Brings one sound for a deck; keeps its first chunks back until it can play from where the deck is. */
export class DeckLoader {
  readonly #scope = new Scope();
  readonly #positionSeconds: () => number;
  readonly #events: DeckLoaderEvents;
  #sound: DeckSource | null = null;
  /** Chunks that are kept back; null once it is ready. */
  #earlyChunks: { source: number; index: number; samples: ChunkSamples }[] | null = [];

  /** @param positionSeconds where the deck is, now */
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

  /** Whether it is known what is brought: an loader that failed before has nothing to go on with. */
  get isOpen(): boolean {
    return this.#sound !== null;
  }

  /** Part of all chunks that is here, 0 to 1. */
  get loadedRatio(): number {
    return this.#sound?.loader.loadedRatio ?? 0;
  }

  /** Says where the listener is, in seconds, and the active loop. */
  moveTo(seconds: number, loop: { startSeconds: number; endSeconds: number } | null, isJump: boolean): void {
    const { sampleRateHz = 0, loader } = this.#sound ?? {};
    const frames = loop && {
      startFrame: loop.startSeconds * sampleRateHz,
      endFrame: loop.endSeconds * sampleRateHz,
    };
    loader?.moveTo(seconds * sampleRateHz, frames, isJump);
  }

  /** Goes on after a failure of the connection. */
  retry(): void {
    this.#sound?.loader.retry();
  }

  /** Ends; nothing is sent any more. */
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
      const sound = await openDeckSource(trackId, processingJobId, tools, loading, scope);
      if (scope.isDisposed) return;
      this.#sound = sound;
      this.moveTo(this.#positionSeconds(), null, true);
      sound.loader.fill();
      this.#offer();
    } catch (error) {
      failed(error);
    }
  }

  #arrived(source: number, index: number, samples: ChunkSamples): void {
    if (this.#scope.isDisposed) return;
    if (!this.#earlyChunks) {
      this.#events.chunk(source, index, samples);
      return;
    }
    this.#earlyChunks.push({ source, index, samples });
    this.#offer();
  }

  #offer(): void {
    const earlyChunks = this.#earlyChunks;
    const sound = this.#sound;
    if (!earlyChunks || !sound || !this.#isReady(sound)) return;
    this.#earlyChunks = null;
    this.#events.ready(this, sound);
    for (const { source, index, samples } of earlyChunks) this.#events.chunk(source, index, samples);
  }

  #dropped(source: number, index: number): void {
    if (this.#earlyChunks)
      this.#earlyChunks = this.#earlyChunks.filter((one) => one.source !== source || one.index !== index);
    else if (!this.#scope.isDisposed) this.#events.dropped(source, index);
  }

  /** Whether all sources of the next two seconds are here. */
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
