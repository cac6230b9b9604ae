import type { DeckId } from '@stem-studio/contract/resources/deck-session';
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
import { ENDING_AGAIN_SECONDS, ENDING_SECONDS, type LocalDeck } from './local-deck.ts';

const NO_LEVELS: readonly [number, number] = [0, 0];
/** Decks are shown to be off the beat in steps of a hundredth of it: what changes with every report draws nothing. */
const PHASE_STEPS = 100;

/** Who hears of a deck's sound. */
export interface DeckClientEvents {
  /** What the window shows of it has changed. */
  changed(fields: Partial<LocalDeck>): void;
  /** Another sound has been put in; what it is to do has to be sent. Stems of the same song go on where it was. */
  loaded(keepsPosition: boolean): void;
  /** What was sent last is done: the deck is really where it says. */
  settled(): void;
  ended(): void;
}

/** One deck of the engine: has its sound brought, counts its commands and knows where it is heard. */
export class DeckClient {
  readonly #deck: DeckId;
  readonly #port: DjEnginePort;
  readonly #tools: DeckSourceOptions;
  readonly #events: DeckClientEvents;
  readonly #place = new AudiblePosition();
  #sound: DeckSource | null = null;
  #loader: DeckLoader | null = null;
  /** What is to sound next. */
  #pendingLoader: DeckLoader | null = null;
  /** Has what is to sound next brought once more, from the beginning. */
  #reopen: () => void = () => {};
  #load = 0;
  /** Whether what was loaded last goes on where the same song was before. */
  #keepsPosition = false;
  #commandId = 0;
  #isSettled = true;
  #transport: DeckTransport = 'empty';
  #phaseError: number | null = null;
  #isEnding = false;
  /** Seconds of the song in one of sound, as it was sent last; a hand on the platter is not counted. */
  #tempo = 1;
  #loop: LoopRegion | null = null;
  #report: DeckReport | null = null;

  constructor(deck: DeckId, port: DjEnginePort, tools: DeckSourceOptions, events: DeckClientEvents) {
    this.#deck = deck;
    this.#port = port;
    this.#tools = tools;
    this.#events = events;
  }

  /** What sounds; null for nothing yet. */
  get loaded(): LoadedSource | null {
    const sound = this.#sound;
    return sound && { sampleRateHz: sound.sampleRateHz, sources: sound.sources.map(({ type }) => type) };
  }

  /** Whether anything is there that could sound. Asked with every picture. */
  get isLoaded(): boolean {
    return this.#sound !== null;
  }

  /** Has a song or its stems brought; what sounds goes on until they can. */
  open(request: LoadRequest, positionSeconds: () => number): void {
    this.#pendingLoader?.close();
    this.#reopen = () => this.open(request, positionSeconds);
    this.#events.changed({ status: 'loading', error: '', loadedRatio: 0 });
    this.#pendingLoader = new DeckLoader(request, this.#tools, positionSeconds, {
      ready: (loader, sound) => this.#install(loader, sound, positionSeconds()),
      chunk: (source, index, samples) => {
        const { buffer } = samples;
        const load = this.#load;
        this.#port.post({ type: 'chunk', deck: this.#deck, load, source, index, samples }, [buffer]);
        this.#events.changed({ loadedRatio: this.#loader?.loadedRatio ?? 0 });
      },
      dropped: (source, index) =>
        this.#port.post({ type: 'drop', deck: this.#deck, load: this.#load, source, index }),
      failed: (_, error) =>
        this.#events.changed({
          status: 'failed',
          error: error instanceof Error ? error.message : String(error),
        }),
    });
  }

  /** Takes the sound out. */
  unload(): void {
    this.#release();
    this.#port.post({ type: 'unload', deck: this.#deck });
    this.#load++;
    this.#transport = 'empty';
    this.#report = null;
    this.#isSettled = true;
    this.#isEnding = false;
    this.#keepsPosition = false;
    this.#place.begin(0, 0);
    this.#setLoop(null);
    this.#events.changed({
      status: 'empty',
      error: '',
      transport: 'empty',
      isBuffering: false,
      isEnding: false,
    });
  }

  /** Tells the booth something about this deck. */
  send(command: DjEngineCommand): void {
    if (command.type === 'tempo') this.#tempo = command.rate;
    if (!('id' in command)) {
      this.#port.post(command);
      return;
    }
    this.#port.post({ ...command, id: ++this.#commandId });
    this.#isSettled = false;
    if (command.type === 'pause') this.#place.stand(this.#port.nowSeconds());
    if (command.type === 'loop') this.#setLoop(this.#regionOf(command.loop));
  }

  /** Goes to a place. */
  seek(seconds: number, keepsPhase: boolean): void {
    this.#pendingLoader?.moveTo(seconds, null, true);
    if (!this.#sound) return;
    const frame = seconds * this.#sound.sampleRateHz;
    this.send({ type: 'seek', deck: this.#deck, frame, keepsPhase, id: 0 });
    this.#place.jump(seconds, this.#port.nowSeconds(), keepsPhase);
    this.#loader?.moveTo(seconds, this.#loop, true);
  }

  /** Says where it is once the next report has come: it was moved by hand. */
  awaitReport(): void {
    this.#isSettled = false;
  }

  /** Tries again after a failure of the connection. */
  retry(): void {
    if (this.#pendingLoader && !this.#pendingLoader.isOpen) {
      this.#reopen();
      return;
    }
    this.#events.changed({ status: this.#pendingLoader ? 'loading' : 'ready', error: '' });
    this.#pendingLoader?.retry();
    this.#loader?.retry();
  }

  /** Takes what the booth reports of this deck. */
  receive(report: DeckReport, timeSeconds: number): void {
    const sound = this.#sound;
    if (!sound || !this.#isCurrent(report)) return;
    this.#report = report;
    if (report.commandId >= this.#commandId) {
      this.#place.receive(report, sound.sampleRateHz, timeSeconds);
      this.#show(report, sound);
    }
    const isMoving = report.transport === 'playing' || report.transport === 'buffering' || report.rate !== 0;
    if (isMoving) this.#loader?.moveTo(report.frame / sound.sampleRateHz, this.#loop, false);
  }

  /** Where it is heard now, in seconds of the song. */
  positionSeconds(): number {
    return this.#place.secondsAt(this.#port.nowSeconds());
  }

  /** Where it will be when it slips no more, in seconds of the song; null while it does not slip. */
  slipSeconds(): number | null {
    const frame = this.#report?.slipFrame ?? null;
    return frame === null || !this.#sound ? null : frame / this.#sound.sampleRateHz;
  }

  /** Highest samples after the fader, left and right. */
  levels(): readonly [number, number] {
    return this.#report?.peaks ?? NO_LEVELS;
  }

  /** Highest sample of a source before the strip. */
  sourceLevel(source: number): number {
    return this.#report?.sourcePeaks[source] ?? 0;
  }

  /** Ends; the booth itself is let go by its owner. */
  dispose(): void {
    this.#release();
  }

  #release(): void {
    this.#pendingLoader?.close();
    this.#loader?.close();
    this.#pendingLoader = null;
    this.#loader = null;
    this.#sound = null;
  }

  #install(loader: DeckLoader, sound: DeckSource, positionSeconds: number): void {
    const { sampleRateHz, frames, sources } = sound;
    const keepsPosition = this.#sound !== null;
    this.#loader?.close();
    this.#loader = loader;
    this.#pendingLoader = null;
    this.#sound = sound;
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
    this.#place.begin(positionSeconds, durationSeconds);
    this.#isEnding = false;
    this.#events.changed({ transport: 'paused', isEnding: false });
  }

  /** Whether a report speaks of what sounds: of this song, or of its sources before these. */
  #isCurrent({ load }: DeckReport): boolean {
    return load === this.#load || (this.#keepsPosition && load === this.#load - 1);
  }

  #show(report: DeckReport, sound: DeckSource): void {
    const { transport } = report;
    const hasChanged = transport !== this.#transport;
    this.#transport = transport;
    if (hasChanged) this.#events.changed({ transport, isBuffering: transport === 'buffering' });
    if (hasChanged && transport === 'ended') this.#events.ended();
    const { phaseError: error } = report;
    const phaseError = error === null ? null : Math.round(error * PHASE_STEPS) / PHASE_STEPS;
    const isEnding = this.#isNearEnd(report, sound);
    if (phaseError !== this.#phaseError || isEnding !== this.#isEnding) {
      this.#phaseError = phaseError;
      this.#isEnding = isEnding;
      this.#events.changed({ phaseError, isEnding });
    }
    // A platter that was let go runs out.
    if (this.#isSettled || (transport === 'paused' && report.rate !== 0)) return;
    this.#isSettled = true;
    this.#events.settled();
  }

  /** Once the end is near it stays so, in loops and while the deck stands, until it is gone back from, or reached. */
  #isNearEnd({ transport, frame }: DeckReport, { frames, sampleRateHz }: DeckSource): boolean {
    if (transport === 'ended') return false;
    if (transport !== 'playing' || this.#loop !== null) return this.#isEnding;
    const left = (frames - frame) / sampleRateHz / this.#tempo;
    return left <= (this.#isEnding ? ENDING_AGAIN_SECONDS : ENDING_SECONDS);
  }

  #setLoop(loop: LoopRegion | null): void {
    this.#loop = loop;
    this.#place.setLoop(loop);
  }

  #regionOf(loop: FrameLoop | null): LoopRegion | null {
    const rate = this.#sound?.sampleRateHz ?? 1;
    return loop && { startSeconds: loop.startFrame / rate, endSeconds: loop.endFrame / rate };
  }
}
