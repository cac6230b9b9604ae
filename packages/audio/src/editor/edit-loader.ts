import { type Arrangement, emptyArrangement } from '@stem-studio/renderer/editor/arrangement';
import { type NeededChunk, neededChunks } from '@stem-studio/renderer/editor/needed-chunks';
import { CHUNK_FRAMES, chunkCount } from '@stem-studio/renderer/sources/chunk';
import { Scope } from '../base/scope.ts';
import { type LoaderEvents, retryMs } from '../player/audio-loader.ts';
import { LOADED, LOADING, MISSING, RUN_CHUNKS } from '../player/chunk-plan.ts';
import type { StemFile } from '../player/stem-file.ts';

const CONCURRENT_REQUESTS = 4;
/** Memory for samples: beyond it only what is near the playhead is kept. */
const MEMORY_BYTES = 512 * 1024 * 1024;
/** Seconds from the playhead on that are requested chunk by chunk, so that playback starts as soon as possible. */
const URGENT_SECONDS = 4;
/** Seconds that are loaded before the rest, and kept where memory is short. */
const NEAR_SECONDS = 60;

/** Loads the samples that an arrangement plays, in the order in which they are played from the playhead on. */
export class EditLoader {
  readonly #files: readonly StemFile[];
  readonly #events: LoaderEvents;
  readonly #states: readonly Uint8Array[];
  readonly #sourceFrames: readonly number[];
  readonly #rateHz: number;
  readonly #memoryBytes: number;
  readonly #scope = new Scope();
  #requests = 0;
  #failures = 0;
  #isBlocked = false;
  #isOpen = true;
  #arrangement: Arrangement = emptyArrangement;
  #frame = 0;
  #loopFrame: number | null = null;

  constructor(files: readonly StemFile[], events: LoaderEvents, memoryBytes = MEMORY_BYTES) {
    this.#files = files;
    this.#events = events;
    this.#memoryBytes = memoryBytes;
    this.#rateHz = files[0]?.sampleRateHz ?? 44_100;
    this.#states = files.map((file) => new Uint8Array(chunkCount(file.frames)));
    this.#sourceFrames = files.map((file) => file.frames);
  }

  /** Sets what is played, from where, and where an active loop begins. */
  follow(arrangement: Arrangement, frame: number, loopFrame: number | null): void {
    this.#arrangement = arrangement;
    this.#frame = frame;
    this.#loopFrame = loopFrame;
    this.fill();
  }

  /** Starts as many requests as allowed. */
  fill(): void {
    while (this.#isOpen && !this.#isBlocked && this.#requests < CONCURRENT_REQUESTS) {
      const run = this.#nextRun();
      if (!run) return;
      void this.#fetch(run.source, run.index, run.count);
    }
  }

  /** Continues after a failure. */
  retry(): void {
    this.#isOpen = true;
    this.fill();
  }

  /** Stops; no event follows. */
  close(): void {
    this.#isOpen = false;
    this.#scope.dispose();
  }

  /** Returns the next missing chunks; none where all that may be kept are there or requested. */
  #nextRun(): (NeededChunk & { count: number }) | null {
    const { frames } = this.#arrangement;
    const urgent = this.#frame + URGENT_SECONDS * this.#rateHz;
    const near = this.#frame + NEAR_SECONDS * this.#rateHz;
    const loop = this.#loopFrame;
    const first = this.#firstMissing(this.#frame, urgent);
    if (first) return { ...first, count: 1 };
    const inLoop = loop === null ? null : this.#firstMissing(loop, loop + URGENT_SECONDS * this.#rateHz);
    if (inLoop) return { ...inLoop, count: 1 };
    const next = this.#firstMissing(urgent, near);
    if (next) return { ...next, count: this.#runLength(next) };
    if (this.#isFull()) return null;
    const later = this.#firstMissing(near, frames) ?? this.#firstMissing(0, this.#frame);
    return later && { ...later, count: this.#runLength(later) };
  }

  #firstMissing(from: number, to: number): NeededChunk | null {
    const needed = neededChunks(this.#arrangement, from, to, this.#sourceFrames, this.#rateHz);
    return needed.find(({ source, index }) => this.#states[source]?.[index] === MISSING) ?? null;
  }

  #runLength({ source, index }: NeededChunk): number {
    const states = this.#states[source];
    let count = 1;
    while (count < RUN_CHUNKS && states?.[index + count] === MISSING) count++;
    return count;
  }

  #residentBytes(): number {
    return this.#states.reduce((sum, states, source) => {
      const held = states.reduce((count, state) => count + (state === MISSING ? 0 : 1), 0);
      return sum + held * CHUNK_FRAMES * (this.#files[source]?.bytesPerFrame ?? 0);
    }, 0);
  }

  #isFull(): boolean {
    return this.#residentBytes() >= this.#memoryBytes;
  }

  async #fetch(source: number, first: number, count: number): Promise<void> {
    const file = this.#files[source];
    const states = this.#states[source];
    if (!file || !states) return;
    this.#requests++;
    states.fill(LOADING, first, first + count);
    try {
      const end = Math.min(file.frames, (first + count) * CHUNK_FRAMES);
      const samples = await file.read(first * CHUNK_FRAMES, end, this.#scope.signal);
      if (!this.#isOpen) return;
      this.#failures = 0;
      const size = CHUNK_FRAMES * file.channels;
      for (let i = 0; i < count; i++) {
        states[first + i] = LOADED;
        // A copy, because it is transferred to the audio thread and the run holds several.
        this.#events.arrived(source, first + i, samples.slice(i * size, (i + 1) * size));
      }
      if (this.#isFull()) this.#dropDistant();
    } catch (error) {
      states.fill(MISSING, first, first + count);
      if (!this.#scope.isDisposed) this.#handleFailure(error);
    } finally {
      this.#requests--;
    }
    this.fill();
  }

  /** Drops loaded chunks that are not played within a minute from the playhead or from the start of the loop. */
  #dropDistant(): void {
    const starts = [this.#frame, ...(this.#loopFrame === null ? [] : [this.#loopFrame])];
    const kept = new Set(
      starts
        .flatMap((from) =>
          neededChunks(
            this.#arrangement,
            from - URGENT_SECONDS * this.#rateHz,
            from + NEAR_SECONDS * this.#rateHz,
            this.#sourceFrames,
            this.#rateHz,
          ),
        )
        .map(({ source, index }) => `${source} ${index}`),
    );
    for (const [source, states] of this.#states.entries())
      for (const [index, state] of states.entries()) {
        if (state !== LOADED || kept.has(`${source} ${index}`)) continue;
        states[index] = MISSING;
        this.#events.dropped(source, index);
      }
  }

  /** Waits before a retry where that may help; gives up otherwise. */
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
}
