import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type {
  DeckReport,
  DeckTransport,
  DjEngineCommand,
  FrameLoop,
} from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import type { LoadedSource } from '@stem-studio/renderer/dj-engine/session-commands';
import type { LoopRegion } from '../clock/playback-clock.ts';
import type { DjEnginePort } from '../dj-engine/dj-engine-port.ts';
import { AudiblePosition } from './audible-position.ts';
import { DeckLoader, type LoadRequest } from './deck-loader.ts';
import type { DeckSource, DeckSourceOptions } from './deck-source.ts';
import type { DeckStemPeaks } from './deck-stem-peaks.ts';
import { ENDING_AGAIN_SECONDS, ENDING_SECONDS, type LocalDeck } from './local-deck.ts';

const NO_LEVELS: readonly [number, number] = [0, 0];
/** The phase error is shown in steps of a hundredth of a beat, so that not every report causes a repaint. */
const PHASE_STEPS = 100;

/** Receives the events of a deck. */
export interface DeckClientEvents {
  /** The state that the window shows has changed. */
  changed(fields: Partial<LocalDeck>): void;
  /** Another source is loaded and needs its settings. With `keepsPosition` it continues the same song. */
  loaded(keepsPosition: boolean): void;
  /** The last command is carried out: the reported position is final. */
  settled(): void;
  ended(): void;
}

/** Client of one deck of the engine: loads its source, numbers its commands and tracks its audible position. */
export class DeckClient {
  readonly #deck: DeckId;
  readonly #port: DjEnginePort;
  readonly #tools: DeckSourceOptions;
  readonly #events: DeckClientEvents;
  readonly #position = new AudiblePosition();
  #source: DeckSource | null = null;
  #loader: DeckLoader | null = null;
  /** Loader of the source that replaces the current one when it can play. */
  #pendingLoader: DeckLoader | null = null;
  /** Loads the pending source again, from the beginning. */
  #reopen: () => void = () => {};
  #load = 0;
  /** Whether the last load continues the song that was there before. */
  #keepsPosition = false;
  #commandId = 0;
  #isSettled = true;
  #transport: DeckTransport = 'empty';
  #phaseError: number | null = null;
  #isEnding = false;
  /** Seconds of the song in one second of output, as sent last; manual control does not count. */
  #tempo = 1;
  #loop: LoopRegion | null = null;
  #report: DeckReport | null = null;
  /** Positions that the deck may jump to at any time, in seconds of the song. */
  #targetSeconds: readonly number[] = [];
  /** Position at which slip will end, as last pinned. */
  #slipSeconds: number | null = null;

  constructor(deck: DeckId, port: DjEnginePort, tools: DeckSourceOptions, events: DeckClientEvents) {
    this.#deck = deck;
    this.#port = port;
    this.#tools = tools;
    this.#events = events;
  }

  /** The loaded source; null before any. */
  get loaded(): LoadedSource | null {
    const source = this.#source;
    return source && { sampleRateHz: source.sampleRateHz, sources: source.sources.map(({ type }) => type) };
  }

  /** Whether a source is loaded. Read in every animation frame. */
  get isLoaded(): boolean {
    return this.#source !== null;
  }

  /** Loads a song or its stems. The current source plays on until they can. */
  open(request: LoadRequest, positionSeconds: () => number): void {
    this.#pendingLoader?.close();
    this.#reopen = () => this.open(request, positionSeconds);
    this.#events.changed({ status: 'loading', error: '', loadedRatio: 0, isStreaming: false });
    this.#pendingLoader = new DeckLoader(request, this.#tools, positionSeconds, {
      ready: (loader, source) => this.#install(loader, source, positionSeconds()),
      chunk: (source, index, samples) => {
        const { buffer } = samples;
        const load = this.#load;
        this.#port.post({ type: 'chunk', deck: this.#deck, load, source, index, samples }, [buffer]);
        this.#showLoaded();
      },
      dropped: (source, index) =>
        this.#port.post({ type: 'drop', deck: this.#deck, load: this.#load, source, index }),
      failed: (_, error) =>
        this.#events.changed({
          status: 'failed',
          error: error instanceof Error ? error.message : String(error),
        }),
    });
    this.#pendingLoader.pin(this.#targetSeconds);
  }

  /** Sets the positions that the deck may jump to at any time, in seconds: their audio stays loaded. */
  setTargets(seconds: readonly number[]): void {
    const before = this.#targetSeconds;
    if (seconds.length === before.length && seconds.every((position, index) => position === before[index])) {
      return;
    }
    this.#targetSeconds = seconds;
    this.#pendingLoader?.pin(seconds);
    this.#pinTargets();
  }

  /** Unloads the source. */
  unload(): void {
    this.#release();
    this.#port.post({ type: 'unload', deck: this.#deck });
    this.#load++;
    this.#transport = 'empty';
    this.#report = null;
    this.#isSettled = true;
    this.#isEnding = false;
    this.#keepsPosition = false;
    this.#slipSeconds = null;
    this.#position.begin(0, 0);
    this.#setLoop(null);
    this.#events.changed({
      status: 'empty',
      error: '',
      transport: 'empty',
      isBuffering: false,
      isEnding: false,
    });
  }

  /** Sends a command for this deck to the engine. */
  send(command: DjEngineCommand): void {
    if (command.type === 'tempo') this.#tempo = command.rate;
    if (!('id' in command)) {
      this.#port.post(command);
      return;
    }
    this.#port.post({ ...command, id: ++this.#commandId });
    this.#isSettled = false;
    if (command.type === 'pause') this.#position.stand(this.#port.nowSeconds());
    if (command.type === 'loop') this.#setLoop(this.#regionOf(command.loop));
  }

  /** Moves to a position in seconds of the song. */
  seek(seconds: number, keepsPhase: boolean): void {
    this.#pendingLoader?.moveTo(seconds, null, true);
    if (!this.#source) return;
    const frame = seconds * this.#source.sampleRateHz;
    this.send({ type: 'seek', deck: this.#deck, frame, keepsPhase, id: 0 });
    this.#position.jump(seconds, this.#port.nowSeconds(), keepsPhase);
    this.#loader?.moveTo(seconds, this.#loop, true);
  }

  /** Waits for the next report before it notifies that the position is final: the deck was moved manually. */
  awaitReport(): void {
    this.#isSettled = false;
  }

  /** Tries again after a connection failure. */
  retry(): void {
    if (this.#pendingLoader && !this.#pendingLoader.isOpen) {
      this.#reopen();
      return;
    }
    this.#events.changed({ status: this.#pendingLoader ? 'loading' : 'ready', error: '' });
    this.#pendingLoader?.retry();
    this.#loader?.retry();
  }

  /** Applies the engine's report of this deck. */
  receive(report: DeckReport, timeSeconds: number): void {
    const source = this.#source;
    if (!source || !this.#isCurrent(report)) return;
    this.#report = report;
    if (report.commandId >= this.#commandId) {
      this.#position.receive(report, source.sampleRateHz, timeSeconds);
      this.#show(report, source);
    }
    const isMoving = report.transport === 'playing' || report.transport === 'buffering' || report.rate !== 0;
    if (isMoving)
      this.#loader?.moveTo(report.frame / source.sampleRateHz, this.#loop, false, report.rate < 0);
    const slipSeconds = this.slipSeconds();
    const hasMoved = Math.abs((slipSeconds ?? 0) - (this.#slipSeconds ?? 0)) >= 1;
    if (!hasMoved && (slipSeconds === null) === (this.#slipSeconds === null)) return;
    this.#slipSeconds = slipSeconds;
    this.#pinTargets();
  }

  /** Returns the audible position in seconds of the song. */
  positionSeconds(): number {
    return this.#position.secondsAt(this.#port.nowSeconds());
  }

  /**
   * Returns the position at which playback continues when slip ends, in seconds of the song; null while slip is off.
   */
  slipSeconds(): number | null {
    const frame = this.#report?.slipFrame ?? null;
    return frame === null || !this.#source ? null : frame / this.#source.sampleRateHz;
  }

  /** Peak levels after the fader, left and right. */
  levels(): readonly [number, number] {
    return this.#report?.peaks ?? NO_LEVELS;
  }

  /** Peak level of a source before the channel strip. */
  sourceLevel(source: number): number {
    return this.#report?.sourcePeaks[source] ?? 0;
  }

  /** Waveforms of the loaded stems; null for a song without stems. Read in every animation frame. */
  get stemPeaks(): DeckStemPeaks | null {
    return this.#loader?.stemPeaks ?? null;
  }

  /** Stops loading. The owner of the engine disposes it. */
  dispose(): void {
    this.#release();
  }

  #release(): void {
    this.#pendingLoader?.close();
    this.#loader?.close();
    this.#pendingLoader = null;
    this.#loader = null;
    this.#source = null;
  }

  #pinTargets(): void {
    const slip = this.#slipSeconds;
    this.#loader?.pin(slip === null ? this.#targetSeconds : [slip, ...this.#targetSeconds]);
  }

  #showLoaded(): void {
    this.#events.changed({
      loadedRatio: this.#loader?.loadedRatio ?? 0,
      isStreaming: this.#loader?.isStreaming ?? false,
    });
  }

  #install(loader: DeckLoader, source: DeckSource, positionSeconds: number): void {
    const { sampleRateHz, frames, sources } = source;
    const keepsPosition = this.#source !== null;
    this.#loader?.close();
    this.#loader = loader;
    this.#pendingLoader = null;
    this.#source = source;
    this.#load++;
    this.#keepsPosition = keepsPosition;
    const durationSeconds = frames / sampleRateHz;
    if (!keepsPosition) this.#begin(positionSeconds, durationSeconds);
    this.#port.post({
      type: 'load',
      deck: this.#deck,
      load: this.#load,
      sampleRateHz,
      frames,
      sources: sources.map(({ channels }) => ({ channels })),
      keepsPosition,
    });
    this.#events.changed({ status: 'ready', error: '', sampleRateHz, durationSeconds });
    this.#events.loaded(keepsPosition);
  }

  #begin(positionSeconds: number, durationSeconds: number): void {
    this.#report = null;
    this.#transport = 'paused';
    this.#position.begin(positionSeconds, durationSeconds);
    this.#isEnding = false;
    this.#events.changed({ transport: 'paused', isEnding: false });
  }

  /** Whether a report is about the loaded source, or about the previous one of the same song. */
  #isCurrent({ load }: DeckReport): boolean {
    return load === this.#load || (this.#keepsPosition && load === this.#load - 1);
  }

  #show(report: DeckReport, source: DeckSource): void {
    const { transport } = report;
    const hasChanged = transport !== this.#transport;
    this.#transport = transport;
    if (hasChanged) this.#events.changed({ transport, isBuffering: transport === 'buffering' });
    if (hasChanged && transport === 'ended') this.#events.ended();
    const { phaseError: error } = report;
    const phaseError = error === null ? null : Math.round(error * PHASE_STEPS) / PHASE_STEPS;
    const isEnding = this.#isNearEnd(report, source);
    if (phaseError !== this.#phaseError || isEnding !== this.#isEnding) {
      this.#phaseError = phaseError;
      this.#isEnding = isEnding;
      this.#events.changed({ phaseError, isEnding });
    }
    // A released platter spins out.
    if (this.#isSettled || (transport === 'paused' && report.rate !== 0)) return;
    this.#isSettled = true;
    this.#events.settled();
  }

  /** Once near the end a deck stays so, in loops and while paused, until it moves back or reaches the end. */
  #isNearEnd({ transport, frame }: DeckReport, { frames, sampleRateHz }: DeckSource): boolean {
    if (transport === 'ended') return false;
    if (transport !== 'playing' || this.#loop !== null) return this.#isEnding;
    const left = (frames - frame) / sampleRateHz / this.#tempo;
    return left <= (this.#isEnding ? ENDING_AGAIN_SECONDS : ENDING_SECONDS);
  }

  #setLoop(loop: LoopRegion | null): void {
    this.#loop = loop;
    this.#position.setLoop(loop);
  }

  #regionOf(loop: FrameLoop | null): LoopRegion | null {
    const rate = this.#source?.sampleRateHz ?? 1;
    return loop && { startSeconds: loop.startFrame / rate, endSeconds: loop.endFrame / rate };
  }
}
