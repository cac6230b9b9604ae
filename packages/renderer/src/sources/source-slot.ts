import type { DjEngineCommand, FrameLoop } from '../dj-engine/dj-engine-messages.ts';
import { FADE_SECONDS } from '../gain/fade-curve.ts';
import { GAIN_RAMP_SECONDS } from '../gain/gain-ramp.ts';
import type { ChunkSamples } from './chunk.ts';
import { SourceGroup } from './source-group.ts';

/**
 * Length of audio that pending sources need from the position on before they replace the present ones: twice the
 * length that a deck needs to resume.
 */
const NEED_SECONDS = 0.5;

/** Loaded sources of a deck, and pending ones that will replace them. */
export class SourceSlot {
  /** Loaded sources; null for none. */
  sources: SourceGroup | null = null;
  /** Number of the load. */
  load = 0;
  readonly #outputRateHz: number;
  #next: SourceGroup | null = null;
  #nextLoad = 0;

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
  }

  /** Sample rate of the song in Hz; the output's sample rate if no song is loaded. */
  get sampleRateHz(): number {
    return this.sources?.sampleRateHz ?? this.#outputRateHz;
  }

  /** Length of the song in sample frames. */
  get frames(): number {
    return this.sources?.frames ?? 0;
  }

  /** Whether other sources are pending. */
  get hasPending(): boolean {
    return this.#next !== null;
  }

  /** The sources that commands refer to. */
  get latest(): SourceGroup | null {
    return this.#next ?? this.sources;
  }

  /** Loads a song at once or, with `keepsPosition`, as pending. */
  take(command: DjEngineCommand & { type: 'load' }): void {
    const ramp = Math.floor(GAIN_RAMP_SECONDS * this.#outputRateHz);
    const sources = new SourceGroup(command, ramp, Math.floor(FADE_SECONDS * command.sampleRateHz));
    if (command.keepsPosition && this.sources) {
      this.#next = sources;
      this.#nextLoad = command.load;
    } else {
      this.#next = null;
      this.sources = sources;
      this.load = command.load;
    }
  }

  /** Stores a chunk of a source; that of an earlier load is ignored. */
  store(load: number, source: number, index: number, samples: ChunkSamples): void {
    this.#of(load)?.store(source, index, samples);
  }

  /** Drops a chunk. */
  drop(load: number, source: number, index: number): void {
    this.#of(load)?.drop(source, index);
  }

  /** Whether the pending sources can continue from `frame`, and from the start of the loop. */
  canSwap(frame: number, loop: FrameLoop | null): boolean {
    const next = this.#next;
    if (!next) return false;
    const need = Math.ceil(NEED_SECONDS * next.sampleRateHz);
    const isHere = (from: number) => next.isLoaded(Math.floor(from), Math.floor(from) + need);
    return isHere(frame) && (!loop || isHere(loop.startFrame));
  }

  /** Replaces the loaded sources by the pending ones. */
  swap(): void {
    if (!this.#next) return;
    this.sources = this.#next;
    this.load = this.#nextLoad;
    this.#next = null;
  }

  /** Unloads everything. */
  clear(): void {
    this.sources = null;
    this.#next = null;
  }

  #of(load: number): SourceGroup | null {
    if (this.#next && load === this.#nextLoad) return this.#next;
    return load === this.load ? this.sources : null;
  }
}
