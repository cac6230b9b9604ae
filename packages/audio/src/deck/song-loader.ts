import { CHUNK_FRAMES, chunkCount } from '@stem-studio/renderer/sources/chunk';
import { Scope } from '../base/scope.ts';
import { type AudioLoader, type LoaderEvents, retryMs } from '../player/audio-loader.ts';
import { keptRange, LOADED, type LoadSituation, MISSING } from '../player/chunk-plan.ts';
import { FileFetchError } from '../player/fetch-range.ts';
import type { SongSource } from './deck-files.ts';
import type { ChunkWindow, SongDecoderEvent, SongDecoderPort } from './song-decoder-messages.ts';

/** Format of a song, before its samples arrive. */
export interface SongShape {
  sampleRateHz: number;
  /** 1 or 2 audio channels. */
  channels: number;
  frames: number;
}

/** Chunks that may be decoded before the length is known. */
const FIRST_CHUNKS = 4;
const BYTES_PER_SAMPLE = 2;
/** A chunk this far ahead of the decoder is reached by decoding on; for a farther one a new pass is sooner. */
const NEAR_CHUNKS = 12;
/** Chunks from the playhead on for which the decoder interrupts other work. */
const URGENT_CHUNKS = 2;

type SongSituation = LoadSituation & { stems: [Uint8Array] };

/** Passes begun on this page: decoders are reused, and events of earlier passes must be ignored. */
let passes = 0;

/**
 * Decodes a song from the playhead on, then the part before it, and keeps as much as fits in memory. A jump to a
 * missing chunk moves the decoder.
 */
export class SongLoader implements AudioLoader {
  readonly #port: SongDecoderPort;
  readonly #source: SongSource;
  readonly #events: LoaderEvents;
  readonly #memoryBytes: number;
  readonly #scope = new Scope();
  readonly #shape = Promise.withResolvers<SongShape>();
  #situation: SongSituation | null = null;
  #pass = 0;
  /** Next chunk of the decoder. */
  #next = 0;
  /** The window that was requested last. */
  #requested: ChunkWindow = { first: 0, last: FIRST_CHUNKS - 1 };
  #failures = 0;
  #isBroken = false;
  #playhead = 0;

  /** Takes ownership of the port: it is disposed with the loader. */
  constructor(port: SongDecoderPort, source: SongSource, events: LoaderEvents, memoryBytes: number) {
    this.#port = port;
    this.#source = source;
    this.#events = events;
    this.#memoryBytes = memoryBytes;
    this.#scope.own(() => port.dispose());
    this.#shape.promise.catch(() => {});
    port.onEvent((event) => this.#receive(event));
    this.#decode();
  }

  /** Format of the song, once its first bytes are decoded. */
  get shape(): Promise<SongShape> {
    return this.#shape.promise;
  }

  get loadedRatio(): number {
    const states = this.#situation?.stems[0];
    if (!states) return 0;
    let loaded = 0;
    for (const state of states) if (state === LOADED) loaded++;
    return states.length === 0 ? 1 : loaded / states.length;
  }

  moveTo(frame: number, loop: { startFrame: number; endFrame: number } | null, isJump: boolean): void {
    const playhead = Math.floor(frame / CHUNK_FRAMES);
    if (!isJump && playhead === this.#playhead) return;
    this.#playhead = playhead;
    const situation = this.#situation;
    if (!situation) return;
    situation.playhead = Math.min(playhead, Math.max(0, situation.stems[0].length - 1));
    situation.loop = loop && {
      first: Math.floor(loop.startFrame / CHUNK_FRAMES),
      last: Math.floor(loop.endFrame / CHUNK_FRAMES),
    };
    this.#follow();
  }

  fill(): void {
    this.#follow();
  }

  retry(): void {
    if (!this.#isBroken) return;
    this.#isBroken = false;
    this.#failures = 0;
    this.#decode();
  }

  close(): void {
    this.#scope.dispose();
    this.#shape.reject(new Error('the song is no longer wanted'));
  }

  /** Begins a new pass, at the first chunk that is needed. */
  #decode(): void {
    const { address, durationMs } = this.#source;
    const window = this.#wanted() ?? this.#requested;
    this.#next = window.first;
    this.#requested = window;
    this.#pass = ++passes;
    this.#port.post({ type: 'decode', pass: this.#pass, address, durationMs, window });
  }

  /**
   * Returns the next chunks to decode: the first missing ones ahead of the playhead, then those behind it; null when
   * all are loaded.
   */
  #wanted(): ChunkWindow | null {
    const situation = this.#situation;
    if (!situation) return { first: 0, last: FIRST_CHUNKS - 1 };
    const { playhead } = situation;
    const [states] = situation.stems;
    const kept = keptRange(situation);
    const ahead = states.indexOf(MISSING, playhead);
    if (ahead >= 0 && ahead <= kept.last) return { first: ahead, last: kept.last };
    const behind = states.indexOf(MISSING, kept.first);
    if (behind < 0 || behind >= playhead) return null;
    return { first: behind, last: states.lastIndexOf(MISSING, playhead) };
  }

  #receive(event: SongDecoderEvent): void {
    if (event.pass !== this.#pass || this.#scope.isDisposed) return;
    if (event.type === 'shape') this.#open(event);
    else if (event.type === 'chunk') this.#keep(event.index, event.samples);
    else if (event.type === 'failed')
      this.#handleFailure(new FileFetchError(event.message, event.isRetryable));
    else {
      this.#next = event.next;
      // At the end of the requested window, or past a chunk that playback waits for.
      if (this.#next > this.#requested.last || this.#isUrgent(this.#next - 1)) this.#follow();
    }
  }

  /** Whether a chunk that plays now or next is missing. */
  #isUrgent(chunk: number): boolean {
    const { playhead = 0, stems } = this.#situation ?? {};
    return stems?.[0][chunk] === MISSING && chunk >= playhead && chunk < playhead + URGENT_CHUNKS;
  }

  #open({ sampleRateHz, channels, frames }: SongShape): void {
    if (!this.#situation) {
      const bytesPerChunk = CHUNK_FRAMES * channels * BYTES_PER_SAMPLE;
      const chunks = chunkCount(frames);
      this.#situation = {
        stems: [new Uint8Array(chunks)],
        playhead: Math.min(this.#playhead, Math.max(0, chunks - 1)),
        loop: null,
        window: Math.max(4, Math.floor(this.#memoryBytes / bytesPerChunk)),
      };
      this.#shape.resolve({ sampleRateHz, channels, frames });
    }
    this.#follow();
  }

  #keep(index: number, samples: Int16Array<ArrayBuffer>): void {
    const states = this.#situation?.stems[0];
    if (!states || !this.#situation) return;
    const kept = keptRange(this.#situation);
    this.#failures = 0;
    if (index < kept.first || index > kept.last || states[index] !== MISSING) return;
    states[index] = LOADED;
    this.#events.arrived(0, index, samples);
  }

  /** Drops distant chunks and moves the decoder to missing ones. */
  #follow(): void {
    const situation = this.#situation;
    if (!situation || this.#isBroken) return;
    const [states] = situation.stems;
    const kept = keptRange(situation);
    for (const [chunk, state] of states.entries()) {
      if (state !== LOADED || (chunk >= kept.first && chunk <= kept.last)) continue;
      states[chunk] = MISSING;
      this.#events.dropped(0, chunk);
    }
    const wanted = this.#wanted();
    if (!wanted) return;
    if (wanted.first >= this.#next && wanted.first - this.#next <= NEAR_CHUNKS) {
      this.#requested = wanted;
      this.#port.post({ type: 'window', pass: this.#pass, window: wanted });
    } else if (this.#next > this.#requested.last || this.#isUrgent(wanted.first)) this.#decode();
  }

  #handleFailure(error: FileFetchError): void {
    this.#isBroken = true;
    const ms = retryMs(error, this.#failures++);
    if (ms !== null) {
      this.#scope.after(ms, () => {
        this.#isBroken = false;
        this.#decode();
      });
      return;
    }
    this.#failures = 0;
    this.#shape.reject(error);
    this.#events.failed(error);
  }
}
