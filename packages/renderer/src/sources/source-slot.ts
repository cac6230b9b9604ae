import type { BoothCommand, FrameLoop } from '../dj-engine/dj-engine-messages.ts';
import { FADE_SECONDS } from '../gain/fade-curve.ts';
import { GAIN_RAMP_SECONDS } from '../gain/gain-ramp.ts';
import type { ChunkSamples } from './chunk.ts';
import { DeckVoices } from './source-group.ts';

/** Other voices of a song take over when so much from the place on is here: the resuming of a deck that ran dry, and as much again. */
const NEED_SECONDS = 0.5;

/** What a deck is loaded with, and what is on its way to take its place. */
export class VoiceBay {
  /** What sounds; null for nothing. */
  voices: DeckVoices | null = null;
  /** Number of what sounds. */
  load = 0;
  readonly #outputRateHz: number;
  #next: DeckVoices | null = null;
  #nextLoad = 0;

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
  }

  /** Rate of the song in Hz; the output's where there is none. */
  get sampleRateHz(): number {
    return this.voices?.sampleRateHz ?? this.#outputRateHz;
  }

  /** Length of the song in sample frames. */
  get frames(): number {
    return this.voices?.frames ?? 0;
  }

  /** Whether other voices are on their way. */
  get isExpecting(): boolean {
    return this.#next !== null;
  }

  /** The voices that commands speak of. */
  get newest(): DeckVoices | null {
    return this.#next ?? this.voices;
  }

  /** Makes room for a song, to sound at once or, with `keepsPlace`, when it can. */
  take(command: BoothCommand & { type: 'load' }): void {
    const ramp = Math.floor(GAIN_RAMP_SECONDS * this.#outputRateHz);
    const voices = new DeckVoices(command, ramp, Math.floor(FADE_SECONDS * command.sampleRateHz));
    if (command.keepsPlace && this.voices) {
      this.#next = voices;
      this.#nextLoad = command.load;
    } else {
      this.#next = null;
      this.voices = voices;
      this.load = command.load;
    }
  }

  /** Takes a piece of a voice; that of a load that is gone is dropped. */
  store(load: number, voice: number, index: number, samples: ChunkSamples): void {
    this.#of(load)?.store(voice, index, samples);
  }

  /** Lets go of a piece. */
  drop(load: number, voice: number, index: number): void {
    this.#of(load)?.drop(voice, index);
  }

  /** Whether the voices on their way can go on from `frame`, and from the beginning of the loop. */
  canExchange(frame: number, loop: FrameLoop | null): boolean {
    const next = this.#next;
    if (!next) return false;
    const need = Math.ceil(NEED_SECONDS * next.sampleRateHz);
    const isHere = (from: number) => next.isLoaded(Math.floor(from), Math.floor(from) + need);
    return isHere(frame) && (!loop || isHere(loop.startFrame));
  }

  /** Puts the voices on their way in the place of those that sound. */
  exchange(): void {
    if (!this.#next) return;
    this.voices = this.#next;
    this.load = this.#nextLoad;
    this.#next = null;
  }

  /** Empties it. */
  clear(): void {
    this.voices = null;
    this.#next = null;
  }

  #of(load: number): DeckVoices | null {
    if (this.#next && load === this.#nextLoad) return this.#next;
    return load === this.load ? this.voices : null;
  }
}
