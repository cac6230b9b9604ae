import { type DeckId, type DeckSessionState, deckIds } from '@stem-studio/contract/resources/deck-session';
import type { BoothCommand, BoothReport } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { type BoothScene, boothCommandsFor } from '@stem-studio/renderer/dj-engine/session-commands';
import type { BoothPort } from '../dj-engine/dj-engine-port.ts';
import type { DeckGrid } from './deck-files.ts';
import type { DeckJump } from './deck-jump.ts';
import { DeckSound } from './deck-client.ts';
import type { DeckSourceTools } from './deck-source.ts';
import type { LocalDeck } from './local-deck.ts';
import type { MixRecorder } from './mix-recorder.ts';
import type { SoundWish } from './deck-loader.ts';

/** Who hears of the booth of a window that sounds. */
export interface SoundingBoothEvents {
  /** What the window shows of a deck has changed. */
  changed(deck: DeckId, fields: Partial<LocalDeck>): void;
  /** What a deck was told last is done. */
  settled(deck: DeckId): void;
  /** A deck has come to the end of its song. */
  ended(deck: DeckId): void;
  /** Where a deck is to begin when its sound comes in, in seconds of the song. */
  placeSeconds(deck: DeckId): number;
}

/** Where decks jump to. */
export type DeckJumps = Readonly<Partial<Record<DeckId, DeckJump | null>>>;

const SILENT: readonly [number, number] = [0, 0];

/** Makes the booth of a window that sounds do what its session says. */
export class SoundingBooth {
  readonly #recorder: MixRecorder;
  readonly #port: BoothPort;
  readonly #events: SoundingBoothEvents;
  readonly #sounds: Readonly<Record<DeckId, DeckSound>>;
  readonly #wishes: Record<DeckId, SoundWish | null> = { a: null, b: null };
  readonly #grids: Record<DeckId, DeckGrid | null> = { a: null, b: null };
  #told: BoothScene | null = null;
  #wanted: BoothScene | null = null;
  #report: BoothReport | null = null;

  /** The port is the booth's from here on, and is let go with it. */
  constructor(port: BoothPort, tools: DeckSourceTools, recorder: MixRecorder, events: SoundingBoothEvents) {
    this.#port = port;
    this.#events = events;
    const sound = (deck: DeckId) =>
      new DeckSound(deck, port, tools, {
        changed: (fields) => events.changed(deck, fields),
        settled: () => events.settled(deck),
        ended: () => events.ended(deck),
        loaded: (keepsPlace) => this.#loaded(deck, keepsPlace),
      });
    this.#sounds = { a: sound('a'), b: sound('b') };
    this.#recorder = recorder;
    recorder.attach(port);
    port.onNews((news) => {
      if (news.type === 'recording') recorder.hear(news);
      else this.#hear(news);
    });
  }

  /** Does what a session says. */
  follow(session: DeckSessionState, rolling: BoothScene['rolling'], jumps: DeckJumps): void {
    for (const deck of deckIds) this.#wish(deck, session);
    const { a, b } = this.#sounds;
    this.#wanted = { session, rolling, loaded: { a: a.loaded, b: b.loaded } };
    this.#tell(jumps);
  }

  /** Says where the beats of a deck's song are. */
  setGrid(deck: DeckId, grid: DeckGrid): void {
    this.#grids[deck] = grid;
    const beats = Float64Array.from(grid.beats);
    this.#port.post({ type: 'grid', deck, beats, downbeats: Float64Array.from(grid.downbeats) });
  }

  /** Wakes the audio output; browsers want this in answer to a press. */
  wake(): void {
    this.#port.wake();
  }

  /** A deck's sound, to ask where it is and how loud. */
  sound(deck: DeckId): DeckSound {
    return this.#sounds[deck];
  }

  /** Moves a deck by hand: bends its tempo, or holds and turns its platter. */
  hand(command: BoothCommand & { type: 'bend' | 'scratch' }): void {
    this.#port.post(command);
  }

  /** Highest samples that left the limiter, left and right. */
  masterLevels(): readonly [number, number] {
    return this.#report?.masterPeaks ?? SILENT;
  }

  /** Lowest gain of the limiter since the report before; 1 when it did nothing. */
  limiterGain(): number {
    return this.#report?.limiterGain ?? 1;
  }

  /** Ends, with everything that it loads. */
  dispose(): void {
    for (const deck of deckIds) this.#sounds[deck].dispose();
    this.#recorder.attach(null);
    this.#port.dispose();
  }

  #wish(deck: DeckId, session: DeckSessionState): void {
    const { track_id: trackId, processing_job_id: processingJobId } = session.decks[deck];
    const before = this.#wishes[deck];
    if (trackId === (before?.trackId ?? null) && processingJobId === (before?.processingJobId ?? null))
      return;
    const sound = this.#sounds[deck];
    this.#wishes[deck] = trackId === null ? null : { trackId, processingJobId };
    if (before && trackId !== before.trackId) {
      sound.unload();
      this.#grids[deck] = null;
    }
    if (trackId !== null) sound.open({ trackId, processingJobId }, () => this.#events.placeSeconds(deck));
  }

  #loaded(deck: DeckId, keepsPlace: boolean): void {
    const { loaded } = this.#sounds[deck];
    const grid = this.#grids[deck];
    if (grid) this.setGrid(deck, grid);
    if (!keepsPlace) this.#sounds[deck].seek(this.#events.placeSeconds(deck), false);
    if (!this.#wanted) return;
    if (this.#told) this.#told = { ...this.#told, loaded: { ...this.#told.loaded, [deck]: null } };
    this.#wanted = { ...this.#wanted, loaded: { ...this.#wanted.loaded, [deck]: loaded } };
    this.#tell({});
  }

  #tell(jumps: DeckJumps): void {
    const wanted = this.#wanted;
    if (!wanted) return;
    const open = { ...jumps };
    const jump = (deck: DeckId) => {
      const to = open[deck];
      delete open[deck];
      if (to) this.#sounds[deck].seek(to.ms / 1000, to.isPhaseKept);
    };
    const commands = boothCommandsFor(this.#told, wanted);
    this.#told = wanted;
    for (const command of commands) {
      if (!('deck' in command)) {
        this.#port.post(command);
        continue;
      }
      // After a new loop, and before the deck goes or stops.
      if (command.type === 'play' || command.type === 'pause') jump(command.deck);
      this.#sounds[command.deck].send(command);
    }
    for (const deck of deckIds) jump(deck);
  }

  #hear(report: BoothReport): void {
    this.#report = report;
    for (const deck of deckIds) this.#sounds[deck].hear(report.decks[deck], report.timeSeconds);
  }
}
