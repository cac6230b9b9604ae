import { CHUNK_FRAMES, chunkCount } from '@stem-studio/renderer/sources/chunk';
import { Scope } from '../base/scope.ts';
import { type AudioLoader, type LoaderEvents, pinnedChunks, retryMs } from './audio-loader.ts';
import { chunksToDrop, LOADED, LOADING, type LoadSituation, MISSING, nextRun } from './chunk-plan.ts';
import type { StemFile } from './stem-file.ts';

/** Largest number of requests at a time. */
const CONCURRENT_REQUESTS = 4;
/** Memory for samples: an hour of four 16-bit stems has 2.5 GB, so a window of it is kept. */
const MEMORY_BYTES = 512 * 1024 * 1024;

/**
 * Fetches the samples of all stems, nearest to the playhead first, and drops distant ones when a song is too long for
 * memory.
 */
export class StemLoader implements AudioLoader {
  readonly #files: readonly StemFile[];
  readonly #events: LoaderEvents;
  readonly #situation: LoadSituation & { stems: Uint8Array[]; isReversed: boolean };
  #requests = new Set<AbortController>();
  readonly #scope = new Scope();
  #isOpen = true;
  #isBlocked = false;
  #failures = 0;

  constructor(files: readonly StemFile[], events: LoaderEvents, memoryBytes = MEMORY_BYTES) {
    this.#files = files;
    this.#events = events;
    const bytesPerChunk = files.reduce((sum, file) => sum + file.bytesPerFrame * CHUNK_FRAMES, 0);
    this.#situation = {
      stems: files.map((file) => new Uint8Array(chunkCount(file.frames))),
      playhead: 0,
      loop: null,
      window: Math.max(4, Math.floor(memoryBytes / Math.max(1, bytesPerChunk))),
      pins: [],
      isReversed: false,
    };
  }

  /** Loaded part of all chunks, 0 to 1. */
  get loadedRatio(): number {
    let loaded = 0;
    let all = 0;
    for (const states of this.#situation.stems) {
      all += states.length;
      for (const state of states) if (state === LOADED) loaded++;
    }
    return all === 0 ? 1 : loaded / all;
  }

  get isStreaming(): boolean {
    return this.#situation.stems.some((states) => states.length > this.#situation.window);
  }

  /** Sets the playhead in frames. A jump to a missing chunk aborts the requests in progress. */
  moveTo(
    frame: number,
    loop: { startFrame: number; endFrame: number } | null,
    isJump: boolean,
    isReversed = false,
  ): void {
    const playhead = Math.floor(frame / CHUNK_FRAMES);
    const situation = this.#situation;
    const first = loop ? Math.floor(loop.startFrame / CHUNK_FRAMES) : -1;
    const last = loop ? Math.floor(loop.endFrame / CHUNK_FRAMES) : -1;
    // Called many times a second, mostly from the same chunk.
    const { loop: known } = situation;
    const isSameLoop = (known?.first ?? -1) === first && (known?.last ?? -1) === last;
    const isSameWay = situation.isReversed === isReversed;
    if (!isJump && situation.playhead === playhead && isSameLoop && isSameWay) return;
    situation.playhead = playhead;
    situation.isReversed = isReversed;
    situation.loop = loop && { first, last };
    if (isJump && situation.stems.some((states) => states[playhead] === MISSING)) this.#abortRequests();
    this.fill();
  }

  pin(frames: readonly number[]): void {
    this.#situation.pins = pinnedChunks(frames);
    this.fill();
  }

  /** Starts as many requests as allowed. */
  fill(): void {
    while (this.#isOpen && !this.#isBlocked && this.#requests.size < CONCURRENT_REQUESTS) {
      const run = nextRun(this.#situation);
      if (!run) return;
      void this.#fetch(run.stem, run.first, run.count);
    }
  }

  /** Aborts all requests; no event follows. */
  close(): void {
    this.#isOpen = false;
    this.#scope.dispose();
    this.#abortRequests();
  }

  async #fetch(stem: number, first: number, count: number): Promise<void> {
    const file = this.#files[stem];
    const states = this.#situation.stems[stem];
    if (!file || !states) return;
    const request = new AbortController();
    this.#requests.add(request);
    states.fill(LOADING, first, first + count);
    this.#drop();
    try {
      const end = Math.min(file.frames, (first + count) * CHUNK_FRAMES);
      const samples = await file.read(first * CHUNK_FRAMES, end, request.signal);
      if (request.signal.aborted) return;
      this.#failures = 0;
      const size = CHUNK_FRAMES * file.channels;
      for (let i = 0; i < count; i++) {
        states[first + i] = LOADED;
        // The playhead may have moved away meanwhile.
        this.#drop(stem, first + i);
        if (states[first + i] !== LOADED) continue;
        // A copy, because it is transferred to the audio thread and the run holds several.
        this.#events.arrived(stem, first + i, samples.slice(i * size, (i + 1) * size));
      }
    } catch (error) {
      if (request.signal.aborted) return;
      states.fill(MISSING, first, first + count);
      this.#handleFailure(error);
    } finally {
      this.#requests.delete(request);
    }
    this.fill();
  }

  /**
   * Waits before a retry where that may help, so that a short break of the connection is not noticed; gives up
   * otherwise.
   */
  #handleFailure(error: unknown): void {
    if (this.#isBlocked || !this.#isOpen) return;
    const ms = retryMs(error, this.#failures++);
    if (ms === null) {
      this.#isOpen = false;
      this.#failures = 0;
      this.#events.failed(error);
      return;
    }
    this.#isBlocked = true;
    this.#scope.after(ms, () => {
      this.#isBlocked = false;
      this.fill();
    });
  }

  #abortRequests(): void {
    for (const request of this.#requests) request.abort();
    this.#requests = new Set();
    for (const states of this.#situation.stems) {
      for (const [chunk, state] of states.entries()) if (state === LOADING) states[chunk] = MISSING;
    }
  }

  /** Frees memory for chunks; a chunk that has just arrived was not passed on, so that its drop is not reported. */
  #drop(arrivedStem = -1, arrived = -1): void {
    for (const chunk of chunksToDrop(this.#situation)) {
      for (const [stem, states] of this.#situation.stems.entries()) {
        if (states[chunk] !== LOADED) continue;
        states[chunk] = MISSING;
        if (stem !== arrivedStem || chunk !== arrived) this.#events.dropped(stem, chunk);
      }
    }
  }

  /** Opens the loader again after a failure. */
  retry(): void {
    this.#isOpen = true;
    this.fill();
  }
}
