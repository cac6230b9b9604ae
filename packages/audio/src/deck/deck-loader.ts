import { CHUNK_FRAMES, type ChunkSamples } from '@stem-studio/renderer/sources/chunk';
import { Scope } from '../base/scope.ts';
import { type DeckSourceTools, type OpenSound, openSound } from './deck-source.ts';

/** A deck is ready when so much from its place on is here. */
const READY_SECONDS = 2;

/** What a deck is to load. */
export interface SoundWish {
  trackId: string;
  /** The separation whose stems are wished; null for the song. */
  processingJobId: string | null;
}

/** Who hears of a sound that comes in. */
export interface IntakeEvents {
  /** It could play from where the deck is; told once, before any chunk. */
  ready(intake: SoundIntake, sound: OpenSound): void;
  /** A chunk has come, those among them that came before it was ready. */
  chunk(voice: number, index: number, samples: ChunkSamples): void;
  /** A chunk that was told before has to go. */
  dropped(voice: number, index: number): void;
  failed(intake: SoundIntake, error: unknown): void;
}

/** Brings one sound for a deck; keeps its first chunks back until it can play from where the deck is. */
export class SoundIntake {
  readonly #scope = new Scope();
  readonly #placeSeconds: () => number;
  readonly #events: IntakeEvents;
  #sound: OpenSound | null = null;
  /** Chunks that are kept back; null once it is ready. */
  #early: { voice: number; index: number; samples: ChunkSamples }[] | null = [];

  /** @param placeSeconds where the deck is, now */
  constructor(wish: SoundWish, tools: DeckSourceTools, placeSeconds: () => number, events: IntakeEvents) {
    this.#placeSeconds = placeSeconds;
    this.#events = events;
    void this.#open(wish, tools);
  }

  /** Whether it is known what is brought: an intake that failed before has nothing to go on with. */
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

  /** Ends; nothing is told any more. */
  close(): void {
    this.#scope.dispose();
    this.#early = null;
  }

  async #open({ trackId, processingJobId }: SoundWish, tools: DeckSourceTools): Promise<void> {
    const scope = this.#scope;
    const failed = (error: unknown) => {
      if (!scope.isDisposed) this.#events.failed(this, error);
    };
    const loading = {
      arrived: (voice: number, index: number, samples: ChunkSamples) => this.#arrived(voice, index, samples),
      dropped: (voice: number, index: number) => this.#dropped(voice, index),
      failed,
    };
    try {
      const sound = await openSound(trackId, processingJobId, tools, loading, scope);
      if (scope.isDisposed) return;
      this.#sound = sound;
      this.moveTo(this.#placeSeconds(), null, true);
      sound.loader.fill();
      this.#offer();
    } catch (error) {
      failed(error);
    }
  }

  #arrived(voice: number, index: number, samples: ChunkSamples): void {
    if (this.#scope.isDisposed) return;
    if (!this.#early) {
      this.#events.chunk(voice, index, samples);
      return;
    }
    this.#early.push({ voice, index, samples });
    this.#offer();
  }

  #offer(): void {
    const early = this.#early;
    const sound = this.#sound;
    if (!early || !sound || !this.#isReady(sound)) return;
    this.#early = null;
    this.#events.ready(this, sound);
    for (const { voice, index, samples } of early) this.#events.chunk(voice, index, samples);
  }

  #dropped(voice: number, index: number): void {
    if (this.#early) this.#early = this.#early.filter((one) => one.voice !== voice || one.index !== index);
    else if (!this.#scope.isDisposed) this.#events.dropped(voice, index);
  }

  /** Whether all voices of the next two seconds are here. */
  #isReady({ voices, frames, sampleRateHz }: OpenSound): boolean {
    const from = Math.min(this.#placeSeconds() * sampleRateHz, frames - 1);
    const to = from + READY_SECONDS * sampleRateHz;
    return voices.every((shape, voice) => {
      const last = Math.floor(Math.min(to, shape.frames - 1) / CHUNK_FRAMES);
      for (let index = Math.floor(from / CHUNK_FRAMES); index <= last; index++) {
        if (!this.#early?.some((chunk) => chunk.index === index && chunk.voice === voice)) return false;
      }
      return true;
    });
  }
}
