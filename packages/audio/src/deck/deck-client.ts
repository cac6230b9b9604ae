import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import type {
  BoothCommand,
  DeckReport,
  DeckTransport,
  FrameLoop,
} from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import type { LoadedSound } from '@stem-studio/renderer/dj-engine/session-commands';
import type { BoothPort } from '../dj-engine/dj-engine-port.ts';
import type { LoopRegion } from '../clock/playback-clock.ts';
import { DeckPlace } from './audible-position.ts';
import type { DeckSourceTools, OpenSound } from './deck-source.ts';
import { ENDING_AGAIN_SECONDS, ENDING_SECONDS, type LocalDeck } from './local-deck.ts';
import { SoundIntake, type SoundWish } from './deck-loader.ts';

const NO_LEVELS: readonly [number, number] = [0, 0];
/** Decks are shown to be off the beat in steps of a hundredth of it: what changes with every report draws nothing. */
const PHASE_STEPS = 100;

/** Who hears of a deck's sound. */
export interface DeckSoundEvents {
  /** What the window shows of it has changed. */
  changed(fields: Partial<LocalDeck>): void;
  /** Another sound has been put in; what it is to do has to be told. Stems of the same song go on where it was. */
  loaded(keepsPlace: boolean): void;
  /** What was told last is done: the deck is really where it says. */
  settled(): void;
  ended(): void;
}

/** One deck of the booth: has its sound brought, counts its commands and knows where it is heard. */
export class DeckSound {
  readonly #deck: DeckId;
  readonly #port: BoothPort;
  readonly #tools: DeckSourceTools;
  readonly #events: DeckSoundEvents;
  readonly #place = new DeckPlace();
  #sound: OpenSound | null = null;
  #intake: SoundIntake | null = null;
  /** What is to sound next. */
  #nextIntake: SoundIntake | null = null;
  /** Has what is to sound next brought once more, from the beginning. */
  #openAgain: () => void = () => {};
  #load = 0;
  /** Whether what was loaded last goes on where the same song was before. */
  #keepsPlace = false;
  #commandId = 0;
  #isSettled = true;
  #transport: DeckTransport = 'empty';
  #phaseError: number | null = null;
  #isEnding = false;
  /** Seconds of the song in one of sound, as it was told last; a hand on the platter is not counted. */
  #tempo = 1;
  #loop: LoopRegion | null = null;
  #report: DeckReport | null = null;

  constructor(deck: DeckId, port: BoothPort, tools: DeckSourceTools, events: DeckSoundEvents) {
    this.#deck = deck;
    this.#port = port;
    this.#tools = tools;
    this.#events = events;
  }

  /** What sounds; null for nothing yet. */
  get loaded(): LoadedSound | null {
    const sound = this.#sound;
    return sound && { sampleRateHz: sound.sampleRateHz, voices: sound.voices.map(({ type }) => type) };
  }

  /** Whether anything is there that could sound. Asked with every picture. */
  get isLoaded(): boolean {
    return this.#sound !== null;
  }

  /** Has a song or its stems brought; what sounds goes on until they can. */
  open(wish: SoundWish, placeSeconds: () => number): void {
    this.#nextIntake?.close();
    this.#openAgain = () => this.open(wish, placeSeconds);
    this.#events.changed({ status: 'loading', error: '', loadedRatio: 0 });
    this.#nextIntake = new SoundIntake(wish, this.#tools, placeSeconds, {
      ready: (intake, sound) => this.#putIn(intake, sound, placeSeconds()),
      chunk: (voice, index, samples) => {
        const { buffer } = samples;
        const load = this.#load;
        this.#port.post({ type: 'chunk', deck: this.#deck, load, voice, index, samples }, [buffer]);
        this.#events.changed({ loadedRatio: this.#intake?.loadedRatio ?? 0 });
      },
      dropped: (voice, index) =>
        this.#port.post({ type: 'drop', deck: this.#deck, load: this.#load, voice, index }),
      failed: (_, error) =>
        this.#events.changed({
          status: 'failed',
          error: error instanceof Error ? error.message : String(error),
        }),
    });
  }

  /** Takes the sound out. */
  unload(): void {
    this.#letGo();
    this.#port.post({ type: 'unload', deck: this.#deck });
    this.#load++;
    this.#transport = 'empty';
    this.#report = null;
    this.#isSettled = true;
    this.#isEnding = false;
    this.#keepsPlace = false;
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
  send(command: BoothCommand): void {
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
  seek(seconds: number, isPhaseKept: boolean): void {
    this.#nextIntake?.moveTo(seconds, null, true);
    if (!this.#sound) return;
    const frame = seconds * this.#sound.sampleRateHz;
    this.send({ type: 'seek', deck: this.#deck, frame, isPhaseKept, id: 0 });
    this.#place.jump(seconds, this.#port.nowSeconds(), isPhaseKept);
    this.#intake?.moveTo(seconds, this.#loop, true);
  }

  /** Says where it is once the next report has come: it was moved by hand. */
  awaitReport(): void {
    this.#isSettled = false;
  }

  /** Tries again after a failure of the connection. */
  retry(): void {
    if (this.#nextIntake && !this.#nextIntake.isOpen) {
      this.#openAgain();
      return;
    }
    this.#events.changed({ status: this.#nextIntake ? 'loading' : 'ready', error: '' });
    this.#nextIntake?.retry();
    this.#intake?.retry();
  }

  /** Takes what the booth reports of this deck. */
  hear(report: DeckReport, timeSeconds: number): void {
    const sound = this.#sound;
    if (!sound || !this.#isKnown(report)) return;
    this.#report = report;
    if (report.commandId >= this.#commandId) {
      this.#place.hear(report, sound.sampleRateHz, timeSeconds);
      this.#show(report, sound);
    }
    const isMoving = report.transport === 'playing' || report.transport === 'buffering' || report.rate !== 0;
    if (isMoving) this.#intake?.moveTo(report.frame / sound.sampleRateHz, this.#loop, false);
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

  /** Highest sample of a voice before the strip. */
  voiceLevel(voice: number): number {
    return this.#report?.voicePeaks[voice] ?? 0;
  }

  /** Ends; the booth itself is let go by its owner. */
  dispose(): void {
    this.#letGo();
  }

  #letGo(): void {
    this.#nextIntake?.close();
    this.#intake?.close();
    this.#nextIntake = null;
    this.#intake = null;
    this.#sound = null;
  }

  #putIn(intake: SoundIntake, sound: OpenSound, placeSeconds: number): void {
    const { sampleRateHz, frames, voices } = sound;
    const keepsPlace = this.#sound !== null;
    this.#intake?.close();
    this.#intake = intake;
    this.#nextIntake = null;
    this.#sound = sound;
    this.#load++;
    this.#keepsPlace = keepsPlace;
    const durationSeconds = frames / sampleRateHz;
    if (!keepsPlace) this.#begin(placeSeconds, durationSeconds);
    this.#port.post({
      type: 'load',
      deck: this.#deck,
      load: this.#load,
      sampleRateHz,
      frames,
      voices: voices.map(({ channels }) => ({ channels })),
      keepsPlace,
    });
    this.#events.changed({ status: 'ready', error: '', sampleRateHz, durationSeconds });
    this.#events.loaded(keepsPlace);
  }

  #begin(placeSeconds: number, durationSeconds: number): void {
    this.#report = null;
    this.#transport = 'paused';
    this.#place.begin(placeSeconds, durationSeconds);
    this.#isEnding = false;
    this.#events.changed({ transport: 'paused', isEnding: false });
  }

  /** Whether a report speaks of what sounds: of this song, or of its voices before these. */
  #isKnown({ load }: DeckReport): boolean {
    return load === this.#load || (this.#keepsPlace && load === this.#load - 1);
  }

  #show(report: DeckReport, sound: OpenSound): void {
    const { transport } = report;
    const hasChanged = transport !== this.#transport;
    this.#transport = transport;
    if (hasChanged) this.#events.changed({ transport, isBuffering: transport === 'buffering' });
    if (hasChanged && transport === 'ended') this.#events.ended();
    const { phaseError: error } = report;
    const phaseError = error === null ? null : Math.round(error * PHASE_STEPS) / PHASE_STEPS;
    const isEnding = this.#isEndingNow(report, sound);
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
  #isEndingNow({ transport, frame }: DeckReport, { frames, sampleRateHz }: OpenSound): boolean {
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
