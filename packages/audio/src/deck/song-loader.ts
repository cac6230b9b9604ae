import { CHUNK_FRAMES, chunkCount } from '@stem-studio/renderer/sources/chunk';
import { Scope } from '../base/scope.ts';
import { type AudioLoader, type LoaderEvents, pinnedChunks, retryMs } from '../player/audio-loader.ts';
import {
  chunksToDrop,
  keptPins,
  keptRange,
  LOADED,
  type LoadSituation,
  MISSING,
  RUN_CHUNKS,
} from '../player/chunk-plan.ts';
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
 * Decodes a song from the playhead on, then the part before it, then pinned positions, and keeps as much as fits in
 * memory. A jump to a missing chunk moves the decoder.
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
  #pins: readonly number[] = [];

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

  get isStreaming(): boolean {
    const situation = this.#situation;
    return situation !== null && situation.stems[0].length > situation.window;
  }

  moveTo(
    frame: number,
    loop: { startFrame: number; endFrame: number } | null,
    isJump: boolean,
    isReversed = false,
  ): void {
    const playhead = Math.floor(frame / CHUNK_FRAMES);
    const situation = this.#situation;
    if (!isJump && playhead === this.#playhead && isReversed === (situation?.isReversed ?? false)) return;
    this.#playhead = playhead;
    if (!situation) return;
    situation.isReversed = isReversed;
    situation.playhead = Math.min(playhead, Math.max(0, situation.stems[0].length - 1));
    situation.loop = loop && {
      first: Math.floor(loop.startFrame / CHUNK_FRAMES),
      last: Math.floor(loop.endFrame / CHUNK_FRAMES),
    };
    this.#follow();
  }

  pin(frames: readonly number[]): void {
    this.#pins = pinnedChunks(frames);
    if (!this.#situation) return;
    this.#situation.pins = this.#pins;
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
   * Returns the next chunks to decode: the first missing ones ahead of the playhead, then those behind it, then pinned
   * ones; null when all are loaded. Backwards, those just behind the playhead come first.
   */
  #wanted(): ChunkWindow | null {
    const situation = this.#situation;
    if (!situation) return { first: 0, last: FIRST_CHUNKS - 1 };
    const { playhead, isReversed = false } = situation;
    const [states] = situation.stems;
    const kept = keptRange(situation);
    const near = Math.max(kept.first, playhead - RUN_CHUNKS);
    const ahead = missingIn(states, playhead, kept.last);
    return (
      (isReversed ? missingIn(states, near, playhead) : null) ??
      // To the end of what is kept: gaps are decoded again rather than skipped.
      (ahead && { first: ahead.first, last: kept.last }) ??
      missingIn(states, kept.first, playhead - 1) ??
      keptPins(situation)
        .map((chunk) => missingIn(states, chunk, chunk))
        .find((window) => window !== null) ??
      null
    );
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
    const { playhead = 0, isReversed = false, stems } = this.#situation ?? {};
    const ahead = isReversed ? playhead - chunk : chunk - playhead;
    return stems?.[0][chunk] === MISSING && ahead >= 0 && ahead < URGENT_CHUNKS;
  }

  /** Whether the present pass does not lead to a chunk of `wanted` that plays now or next. */
  #isOvertaken(wanted: ChunkWindow): boolean {
    const chunk = this.#situation?.isReversed ? wanted.last : wanted.first;
    const isOnTheWay =
      chunk >= this.#next && chunk <= this.#requested.last && chunk - this.#next <= NEAR_CHUNKS;
    return this.#isUrgent(chunk) && !isOnTheWay;
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
        pins: this.#pins,
        isReversed: false,
      };
      this.#shape.resolve({ sampleRateHz, channels, frames });
    }
    this.#follow();
  }

  #keep(index: number, samples: Int16Array<ArrayBuffer>): void {
    const situation = this.#situation;
    if (!situation) return;
    const [states] = situation.stems;
    const kept = keptRange(situation);
    this.#failures = 0;
    const isKept = (index >= kept.first && index <= kept.last) || keptPins(situation).includes(index);
    if (!isKept || states[index] !== MISSING) return;
    states[index] = LOADED;
    this.#drop(situation);
    this.#events.arrived(0, index, samples);
  }

  /** Frees memory for a chunk. */
  #drop(situation: SongSituation): void {
    for (const chunk of chunksToDrop(situation)) {
      situation.stems[0][chunk] = MISSING;
      this.#events.dropped(0, chunk);
    }
  }

  /** Moves the decoder to missing chunks. */
  #follow(): void {
    if (!this.#situation || this.#isBroken) return;
    const wanted = this.#wanted();
    if (!wanted) return;
    if (wanted.first >= this.#next && wanted.first - this.#next <= NEAR_CHUNKS) {
      this.#requested = wanted;
      this.#port.post({ type: 'window', pass: this.#pass, window: wanted });
    } else if (this.#next > this.#requested.last || this.#isOvertaken(wanted)) this.#decode();
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

/** Returns the range from the first to the last missing chunk between `first` and `last`, both included, or null. */
function missingIn(states: Uint8Array, first: number, last: number): ChunkWindow | null {
  const from = states.indexOf(MISSING, first);
  if (from < 0 || from > last || last < 0) return null;
  return { first: from, last: states.lastIndexOf(MISSING, last) };
}
