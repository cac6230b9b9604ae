import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState, deckPositionMs } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState, DeckState } from '@stem-studio/contract/resources/deck-session';
import type { PlatterStop } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DjEnginePort } from '../dj-engine/dj-engine-port.ts';
import type { OpenRecordingStorage } from '../recording/recording-storage.ts';
import type { DeckCommandTarget } from './deck-command-target.ts';
import { noGrid } from './deck-files.ts';
import { type DeckJump, distanceMs, jumpBetween, jumpOfMessage } from './deck-jump.ts';
import { deckMemoryBytes } from './deck-memory.ts';
import type { DeckSourceOptions } from './deck-source.ts';
import { type DeckTiming, deckTiming } from './deck-timing.ts';
import { type DeckJumps, DjEngineClient } from './dj-engine-client.ts';
import { emptyLocalDeck, type LocalDeck } from './local-deck.ts';
import { createRecordingState, MixRecorder, type RecordingState } from './mix-recorder.ts';

/** Dependencies of a controller. */
export interface DeckControllerOptions extends Omit<DeckSourceOptions, 'memoryBytes'> {
  /** Most bytes of samples that a deck keeps; suited to the machine by default. */
  memoryBytes?: number;
  /** Opens the DJ engine; throws with a message for the user where the browser cannot. */
  openPort: () => Promise<DjEnginePort>;
  /** Milliseconds of the service's clock. */
  now: () => number;
  /** Stores recordings as they run; they are held in memory without it. */
  openRecordingStorage?: OpenRecordingStorage;
}

/** Largest difference between predicted and audible position, in ms, before the other windows are notified. */
const SETTLED_MS = { playing: 30, standing: 1 };

/**
 * Session of a window, and the engine that plays it. A message is applied to the session by the rule that the service
 * and all windows share; then the engine gets the difference, and the listener gets the message.
 */
export class DeckCore implements DeckCommandTarget {
  readonly session: StoreApi<DeckSessionState> = createStore(createDeckSessionState);
  readonly locals: StoreApi<Record<DeckId, LocalDeck>> = createStore(() => ({
    a: emptyLocalDeck,
    b: emptyLocalDeck,
  }));
  readonly recording: StoreApi<RecordingState> = createStore(createRecordingState);
  /** Records this window's engine; the recording remains when the engine is closed. */
  readonly recorder: MixRecorder;
  /** Listener for messages of this window. */
  onMessage: (message: DeckMessage) => void = () => {};
  /** The engine; null in a window that does not play the audio. */
  engine: DjEngineClient | null = null;
  readonly #options: DeckControllerOptions;
  readonly #held = new Set<DeckId>();
  #isAudioEnabled = false;
  #isDisposed = false;

  constructor(options: DeckControllerOptions) {
    this.#options = options;
    this.recorder = new MixRecorder(this.recording, options.openRecordingStorage);
  }

  state(deck: DeckId): DeckState {
    return this.session.getState().decks[deck];
  }

  local(deck: DeckId): LocalDeck {
    return this.locals.getState()[deck];
  }

  setLocal(deck: DeckId, fields: Partial<LocalDeck>): void {
    this.locals.setState((locals) => ({ ...locals, [deck]: { ...locals[deck], ...fields } }));
  }

  timing(deck: DeckId): DeckTiming {
    const { track_bpm, duration_ms } = this.state(deck);
    return deckTiming(this.local(deck).grid.beats, track_bpm, duration_ms / 1000);
  }

  positionSeconds(deck: DeckId): number {
    const state = this.session.getState().decks[deck];
    if (!this.engine) return deckPositionMs(state, this.#options.now()) / 1000;
    const deckClient = this.engine.deck(deck);
    // A deck whose source is still loading has not started.
    return deckClient.isLoaded ? deckClient.positionSeconds() : state.position_ms / 1000;
  }

  slipSeconds(deck: DeckId): number | null {
    return this.engine?.deck(deck).slipSeconds() ?? null;
  }

  act(message: DeckMessage, jump?: DeckJump | null): void {
    const before = this.session.getState();
    const complete = this.#withPosition(message);
    const after = applyDeckMessage(before, complete, { now: this.#options.now() });
    if (after === before) return;
    const jumps: { a?: DeckJump | null; b?: DeckJump | null } = {};
    if (complete.event !== 'set_mixer') {
      const { deck } = complete;
      const audibleMs = this.positionSeconds(deck) * 1000;
      jumps[deck] =
        jump === undefined ? jumpOfMessage(complete, before.decks[deck], after.decks[deck], audibleMs) : jump;
      if (after.decks[deck].is_playing) this.engine?.wake();
    }
    this.#follow(before, after, jumps);
    if (complete.event === 'load_track' || complete.event === 'load_stems') this.retry(complete.deck);
    this.onMessage(complete);
  }

  /** See `DeckController.take`. */
  take(session: DeckSessionState, moved?: ReadonlySet<DeckId>): void {
    const before = this.session.getState();
    if (session === before) return;
    const now = this.#options.now();
    const jump = (deck: DeckId) =>
      jumpBetween(
        before.decks[deck],
        session.decks[deck],
        this.positionSeconds(deck) * 1000,
        now,
        moved?.has(deck),
      );
    this.#follow(before, session, { a: jump('a'), b: jump('b') });
  }

  /** See `DeckController.setAudioEnabled`. */
  setAudioEnabled(isEnabled: boolean): void {
    if (isEnabled === this.#isAudioEnabled || this.#isDisposed) return;
    this.#isAudioEnabled = isEnabled;
    if (isEnabled) void this.#openEngine();
    else this.#closeEngine();
  }

  /** Starts, changes or ends manual control of a platter: a held rate, or a way to stop. */
  hold(deck: DeckId, control: number | PlatterStop | null): void {
    if (control === null && !this.#held.delete(deck)) return;
    if (control !== null) this.#held.add(deck);
    if (control === null || typeof control === 'number')
      this.engine?.sendManual({ type: 'scratch', deck, rate: control });
    else this.engine?.sendManual({ type: 'stop-platter', deck, ...control });
    if (control === null) this.engine?.deck(deck).awaitReport();
  }

  /** Retries a failed load. */
  retry(deck: DeckId): void {
    if (this.local(deck).status !== 'failed') return;
    if (this.engine) this.engine.deck(deck).retry();
    else if (this.#isAudioEnabled) void this.#openEngine();
  }

  /** Loads the beat grid of a deck's track. */
  async loadGrid(deck: DeckId): Promise<void> {
    const { track_id } = this.state(deck);
    if (track_id === null) return;
    // A song without beats can be played; the panel that shows the grid loads it too and reports the failure.
    const grid = await this.#options.files.grid(track_id).catch(() => noGrid);
    if (this.#isDisposed || this.state(deck).track_id !== track_id) return;
    this.setLocal(deck, { grid });
    this.engine?.setGrid(deck, grid);
  }

  dispose(): void {
    this.setAudioEnabled(false);
    this.#isDisposed = true;
    this.onMessage = () => {};
  }

  /** Adds the audible position to a message: only the window that plays the audio has it. */
  #withPosition(message: DeckMessage): DeckMessage {
    switch (message.event) {
      case 'play':
      case 'pause':
      case 'toggle_play':
      case 'set_loop':
        if (message.position_ms !== undefined || !this.engine) return message;
        if (message.event === 'set_loop' && message.stem_type) return message;
        return { ...message, position_ms: this.positionSeconds(message.deck) * 1000 };
      default:
        return message;
    }
  }

  #follow(before: DeckSessionState, after: DeckSessionState, jumps: DeckJumps): void {
    this.session.setState(after, true);
    for (const deck of deckIds) {
      const { track_id, processing_job_id } = after.decks[deck];
      if (processing_job_id !== before.decks[deck].processing_job_id)
        this.setLocal(deck, { stemLoopIns: {} });
      if (track_id === before.decks[deck].track_id) continue;
      this.setLocal(deck, { ...emptyLocalDeck, status: track_id === null ? 'empty' : 'ready' });
      void this.loadGrid(deck);
    }
    this.engine?.follow(after, this.#rolling(), jumps);
  }

  #rolling(): Record<DeckId, boolean> {
    return { a: this.local('a').isRolling, b: this.local('b').isRolling };
  }

  async #openEngine(): Promise<void> {
    let port: DjEnginePort;
    try {
      port = await this.#options.openPort();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      for (const deck of deckIds) this.setLocal(deck, { status: 'failed', error: message });
      return;
    }
    if (!this.#isAudioEnabled || this.engine) {
      port.dispose();
      return;
    }
    // Playing decks continue from their present position and wait there for their source.
    for (const deck of deckIds) {
      const position_ms = this.positionSeconds(deck) * 1000;
      if (this.state(deck).is_playing) this.act({ event: 'report_position', deck, position_ms });
      if (this.state(deck).track_id === null) this.setLocal(deck, { status: 'empty', error: '' });
    }
    const tools = { memoryBytes: deckMemoryBytes(), ...this.#options };
    const engine = new DjEngineClient(port, tools, this.recorder, {
      changed: (deck, fields) => this.setLocal(deck, fields),
      settled: (deck) => this.#settle(deck),
      ended: (deck) => this.#end(deck),
      positionSeconds: (deck) => this.positionSeconds(deck),
    });
    this.engine = engine;
    for (const deck of deckIds) engine.setGrid(deck, this.local(deck).grid);
    engine.follow(this.session.getState(), this.#rolling(), {});
  }

  #closeEngine(): void {
    this.engine?.dispose();
    this.engine = null;
    for (const deck of deckIds) {
      const status = this.state(deck).track_id === null ? 'empty' : 'ready';
      this.setLocal(deck, { ...emptyLocalDeck, grid: this.local(deck).grid, status });
    }
  }

  /** Reports the position of the engine where it differs from the predicted one. */
  #settle(deck: DeckId): void {
    const state = this.state(deck);
    if (state.track_id === null || this.#held.has(deck)) return;
    const position_ms = this.positionSeconds(deck) * 1000;
    const predictedMs = deckPositionMs(state, this.#options.now());
    const limit = state.is_playing ? SETTLED_MS.playing : SETTLED_MS.standing;
    if (distanceMs(state, position_ms, predictedMs) <= limit) return;
    this.act({ event: 'report_position', deck, position_ms });
  }

  /** Pauses a deck at the end of its song. */
  #end(deck: DeckId): void {
    const { is_playing, duration_ms } = this.state(deck);
    this.setLocal(deck, { preview: null });
    if (is_playing) this.act({ event: 'pause', deck, position_ms: duration_ms }, null);
  }
}
