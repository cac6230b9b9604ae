import type { DjEngineCommand, FrameLoop } from '../dj-engine/dj-engine-messages.ts';
import { FADE_SECONDS } from '../gain/fade-curve.ts';
import { GAIN_RAMP_SECONDS } from '../gain/gain-ramp.ts';
import type { ChunkSamples } from './chunk.ts';
import { SourceGroup } from './source-group.ts';

/** Other sources of a song take over when so much from the place on is here: the resuming of a deck that ran dry, and as much again. */
const NEED_SECONDS = 0.5;

/** What a deck is loaded with, and what is on its way to take its place. */
export class SourceSlot {
  /** What sounds; null for nothing. */
  sources: SourceGroup | null = null;
  /** Number of what sounds. */
  load = 0;
  readonly #outputRateHz: number;
  #next: SourceGroup | null = null;
  #nextLoad = 0;

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
  }

  /** Rate of the song in Hz; the output's where there is none. */
  get sampleRateHz(): number {
    return this.sources?.sampleRateHz ?? this.#outputRateHz;
  }

  /** Length of the song in sample frames. */
  get frames(): number {
    return this.sources?.frames ?? 0;
  }

  /** Whether other sources are on their way. */
  get hasPending(): boolean {
    return this.#next !== null;
  }

  /** The sources that commands speak of. */
  get latest(): SourceGroup | null {
    return this.#next ?? this.sources;
  }

  /** Makes room for a song, to sound at once or, with `keepsPosition`, when it can. */
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

  /** Takes a piece of a source; that of a load that is gone is dropped. */
  store(load: number, source: number, index: number, samples: ChunkSamples): void {
    this.#of(load)?.store(source, index, samples);
  }

  /** Lets go of a piece. */
  drop(load: number, source: number, index: number): void {
    this.#of(load)?.drop(source, index);
  }

  /** Whether the sources on their way can go on from `frame`, and from the beginning of the loop. */
  canSwap(frame: number, loop: FrameLoop | null): boolean {
    const next = this.#next;
    if (!next) return false;
    const need = Math.ceil(NEED_SECONDS * next.sampleRateHz);
    const isHere = (from: number) => next.isLoaded(Math.floor(from), Math.floor(from) + need);
    return isHere(frame) && (!loop || isHere(loop.startFrame));
  }

  /** Puts the sources on their way in the place of those that sound. */
  swap(): void {
    if (!this.#next) return;
    this.sources = this.#next;
    this.load = this.#nextLoad;
    this.#next = null;
  }

  /** Empties it. */
  clear(): void {
    this.sources = null;
    this.#next = null;
  }

  #of(load: number): SourceGroup | null {
    if (this.#next && load === this.#nextLoad) return this.#next;
    return load === this.load ? this.sources : null;
  }
}
