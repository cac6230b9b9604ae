import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import type { DjEngineCommand, DjEngineReport } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { type EngineSession, engineCommandsFor } from '@stem-studio/renderer/dj-engine/session-commands';
import type { DjEnginePort } from '../dj-engine/dj-engine-port.ts';
import { DeckClient } from './deck-client.ts';
import type { DeckGrid } from './deck-files.ts';
import type { DeckJump } from './deck-jump.ts';
import type { LoadRequest } from './deck-loader.ts';
import type { DeckSourceOptions } from './deck-source.ts';
import { jumpTargets } from './jump-targets.ts';
import type { LocalDeck } from './local-deck.ts';
import type { MixRecorder } from './mix-recorder.ts';

/** Receives the events of the engine's decks. */
export interface DjEngineClientEvents {
  /** The state that the window shows of a deck has changed. */
  changed(deck: DeckId, fields: Partial<LocalDeck>): void;
  /** The last command of a deck is carried out. */
  settled(deck: DeckId): void;
  /** A deck has reached the end of its song. */
  ended(deck: DeckId): void;
  /** Position at which a deck starts when its source is loaded, in seconds of the song. */
  positionSeconds(deck: DeckId): number;
}

/** Jumps of the decks. */
export type DeckJumps = Readonly<Partial<Record<DeckId, DeckJump | null>>>;

const SILENT: readonly [number, number] = [0, 0];

/** Applies changes of the deck session to the DJ engine. */
export class DjEngineClient {
  readonly #recorder: MixRecorder;
  readonly #port: DjEnginePort;
  readonly #events: DjEngineClientEvents;
  readonly #decks: Readonly<Record<DeckId, DeckClient>>;
  readonly #requests: Record<DeckId, LoadRequest | null> = { a: null, b: null };
  readonly #grids: Record<DeckId, DeckGrid | null> = { a: null, b: null };
  #sent: EngineSession | null = null;
  #target: EngineSession | null = null;
  #report: DjEngineReport | null = null;

  /** Takes ownership of the port: it is disposed with the client. */
  constructor(
    port: DjEnginePort,
    tools: DeckSourceOptions,
    recorder: MixRecorder,
    events: DjEngineClientEvents,
  ) {
    this.#port = port;
    this.#events = events;
    const createClient = (deck: DeckId) =>
      new DeckClient(deck, port, tools, {
        changed: (fields) => events.changed(deck, fields),
        settled: () => events.settled(deck),
        ended: () => events.ended(deck),
        loaded: (keepsPosition) => this.#loaded(deck, keepsPosition),
      });
    this.#decks = { a: createClient('a'), b: createClient('b') };
    this.#recorder = recorder;
    recorder.attach(port);
    port.onEvent((event) => {
      if (event.type === 'recording') recorder.receive(event);
      else if (event.type === 'report') this.#receive(event);
    });
  }

  /** Sends the difference to a new session. */
  follow(session: DeckSessionState, rolling: EngineSession['rolling'], jumps: DeckJumps): void {
    for (const deck of deckIds) {
      this.#updateRequest(deck, session);
      this.#decks[deck].setTargets(jumpTargets(session.decks[deck]));
    }
    const { a, b } = this.#decks;
    this.#target = { session, rolling, loaded: { a: a.loaded, b: b.loaded } };
    this.#send(jumps);
  }

  /** Sets the beat grid of a deck's song. */
  setGrid(deck: DeckId, grid: DeckGrid): void {
    this.#grids[deck] = grid;
    const beats = Float64Array.from(grid.beats);
    this.#port.post({ type: 'grid', deck, beats, downbeats: Float64Array.from(grid.downbeats) });
  }

  /** Resumes the audio output; browsers require a press for it. */
  wake(): void {
    this.#port.wake();
  }

  /** Client of a deck, for its position and levels. */
  deck(deck: DeckId): DeckClient {
    return this.#decks[deck];
  }

  /** Controls a deck manually: bends its tempo, or holds and turns its platter. */
  sendManual(command: DjEngineCommand & { type: 'bend' | 'scratch' | 'stop-platter' }): void {
    this.#port.post(command);
  }

  /** Peak levels after the limiter, left and right. */
  masterLevels(): readonly [number, number] {
    return this.#report?.masterPeaks ?? SILENT;
  }

  /** Lowest gain of the limiter between the last two reports; 1 when it was idle. */
  limiterGain(): number {
    return this.#report?.limiterGain ?? 1;
  }

  /** Disposes the engine and stops loading. */
  dispose(): void {
    for (const deck of deckIds) this.#decks[deck].dispose();
    this.#recorder.attach(null);
    this.#port.dispose();
  }

  #updateRequest(deck: DeckId, session: DeckSessionState): void {
    const { track_id: trackId, processing_job_id: processingJobId } = session.decks[deck];
    const before = this.#requests[deck];
    if (trackId === (before?.trackId ?? null) && processingJobId === (before?.processingJobId ?? null))
      return;
    const client = this.#decks[deck];
    this.#requests[deck] = trackId === null ? null : { trackId, processingJobId };
    if (before && trackId !== before.trackId) {
      client.unload();
      this.#grids[deck] = null;
    }
    if (trackId !== null) client.open({ trackId, processingJobId }, () => this.#events.positionSeconds(deck));
  }

  #loaded(deck: DeckId, keepsPosition: boolean): void {
    const { loaded } = this.#decks[deck];
    const grid = this.#grids[deck];
    if (grid) this.setGrid(deck, grid);
    if (!keepsPosition) this.#decks[deck].seek(this.#events.positionSeconds(deck), false);
    if (!this.#target) return;
    if (this.#sent) this.#sent = { ...this.#sent, loaded: { ...this.#sent.loaded, [deck]: null } };
    this.#target = { ...this.#target, loaded: { ...this.#target.loaded, [deck]: loaded } };
    this.#send({});
  }

  #send(jumps: DeckJumps): void {
    const target = this.#target;
    if (!target) return;
    const open = { ...jumps };
    const jump = (deck: DeckId) => {
      const to = open[deck];
      delete open[deck];
      if (to) this.#decks[deck].seek(to.ms / 1000, to.keepsPhase);
    };
    const commands = engineCommandsFor(this.#sent, target);
    this.#sent = target;
    for (const command of commands) {
      if (!('deck' in command)) {
        this.#port.post(command);
        continue;
      }
      // After a new loop, and before the deck starts or stops.
      if (command.type === 'play' || command.type === 'pause') jump(command.deck);
      this.#decks[command.deck].send(command);
    }
    for (const deck of deckIds) jump(deck);
  }

  #receive(report: DjEngineReport): void {
    this.#report = report;
    for (const deck of deckIds) this.#decks[deck].receive(report.decks[deck], report.timeSeconds);
  }
}
