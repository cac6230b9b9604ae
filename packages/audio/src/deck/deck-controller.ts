import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { PlatterMotion } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import type { StoreApi } from 'zustand/vanilla';
import type { RecordingNote } from '../recording/recording-messages.ts';
import { CueCommands } from './cue-commands.ts';
import { type DeckControllerOptions, DeckCore } from './deck-core.ts';
import type { DeckStemPeaks } from './deck-stem-peaks.ts';
import { beatJump } from './jump-commands.ts';
import type { LocalDeck } from './local-deck.ts';
import { LoopCommands } from './loop-commands.ts';
import type { RecordingState } from './mix-recorder.ts';
import { tempoMessage } from './tempo-message.ts';

/** A deck no further than this from the end of its song is at its end. */
const AT_END_MS = 5;
const SILENT: readonly [number, number] = [0, 0];

/**
 * The two decks of a window. A command takes effect at once, on the shown session and on the engine where this window
 * plays the audio; then it is passed on to the service.
 *
 * `panel → dispatch → session → engine`, and `→ onMessage → service`; `service → take → session → engine`
 */
export class DeckController {
  readonly #core: DeckCore;
  readonly #cues: CueCommands;
  readonly #loops: LoopCommands;

  constructor(options: DeckControllerOptions) {
    this.#core = new DeckCore(options);
    this.#cues = new CueCommands(this.#core);
    this.#loops = new LoopCommands(this.#core);
  }

  /** Session state as shown by this window. */
  get session(): StoreApi<DeckSessionState> {
    return this.#core.session;
  }

  /** State of the decks that belongs to this window alone. */
  get local(): StoreApi<Record<DeckId, LocalDeck>> {
    return this.#core.locals;
  }

  get recording(): StoreApi<RecordingState> {
    return this.#core.recording;
  }

  /** Applies a message at once and passes it on. */
  dispatch(message: DeckMessage): void {
    this.#core.act(message);
  }

  /** Sets the listener for messages of this window; there is one. */
  onMessage(listener: (message: DeckMessage) => void): void {
    this.#core.onMessage = listener;
  }

  /** Applies the session of the service. A playing deck continues where it is, unless another window moved it. */
  take(session: DeckSessionState, moved?: ReadonlySet<DeckId>): void {
    this.#core.take(session, moved);
  }

  /** Plays the audio in this window, or stops doing so. Loaded sources are loaded here and playback continues. */
  setAudioEnabled(isEnabled: boolean): void {
    this.#core.setAudioEnabled(isEnabled);
  }

  /**
   * Returns the audible position of a deck in seconds of the song; the predicted one while another window plays the
   * audio.
   */
  positionSeconds(deck: DeckId): number {
    return this.#core.positionSeconds(deck);
  }

  /** Peak levels of a deck after its fader, left and right. */
  levels(deck: DeckId): readonly [number, number] {
    return this.#core.engine?.deck(deck).levels() ?? SILENT;
  }

  /** Peak levels after the limiter, left and right. */
  masterLevels(): readonly [number, number] {
    return this.#core.engine?.masterLevels() ?? SILENT;
  }

  /** Lowest gain of the master's limiter between the last two reports of the engine; 1 while it is idle. */
  limiterGain(): number {
    return this.#core.engine?.limiterGain() ?? 1;
  }

  /** Peak level of source `index` of a deck, a stem or the song, before its channel strip. */
  sourceLevel(deck: DeckId, index: number): number {
    return this.#core.engine?.deck(deck).sourceLevel(index) ?? 0;
  }

  /** Waveforms of a deck's stems as far as they were loaded; null without stems and while another window plays. */
  stemPeaks(deck: DeckId): DeckStemPeaks | null {
    return this.#core.engine?.deck(deck).stemPeaks ?? null;
  }

  /** Sample rate of the loaded song and index of a stem's source, null for the song; null before the deck is loaded. */
  sourceOf(deck: DeckId, stem: StemType | null): { sampleRateHz: number; source: number | null } | null {
    const loaded = this.#core.engine?.deck(deck).loaded;
    if (!loaded) return null;
    const source = stem === null ? null : loaded.sources.indexOf(stem);
    return source === -1 ? null : { sampleRateHz: loaded.sampleRateHz, source };
  }

  /** Whether loading would interrupt a playing deck. */
  isOverwriteRisky(deck: DeckId): boolean {
    return this.#core.state(deck).is_playing;
  }

  /** Plays or pauses. At the end of the song it starts again; after a failed load it retries. */
  togglePlay(deck: DeckId): void {
    const state = this.#core.state(deck);
    if (state.track_id === null) return;
    if (this.#core.local(deck).preview && state.is_playing) {
      // Play during a preview: playback continues when the button is released.
      this.#core.setLocal(deck, { preview: null });
      return;
    }
    this.#core.retry(deck);
    const position = this.positionSeconds(deck) * 1000;
    const isAtEnd = !state.is_playing && state.duration_ms > 0 && position >= state.duration_ms - AT_END_MS;
    this.#core.act({ event: 'toggle_play', deck, position_ms: isAtEnd ? 0 : position });
  }

  /** Handles a press of CUE: return to the cue and stop, preview it, or set it. */
  pressCue(deck: DeckId): void {
    this.#cues.press(deck);
  }

  /** Handles the release of CUE. */
  releaseCue(deck: DeckId): void {
    this.#cues.release(deck);
  }

  /** Sets the cue at the deck's position. */
  setCueHere(deck: DeckId): void {
    this.#cues.setHere(deck);
  }

  /** Handles a press of a hot cue: set an empty one, else jump; a paused deck plays from it until release. */
  pressHotCue(deck: DeckId, slot: number): void {
    this.#cues.pressSlot(deck, slot);
  }

  /** Handles the release of a hot cue. */
  releaseHotCue(deck: DeckId, slot: number): void {
    this.#cues.releaseSlot(deck, slot);
  }

  /** Clears a hot cue. */
  deleteHotCue(deck: DeckId, slot: number): void {
    this.#cues.delete(deck, slot);
  }

  /** Saves the loop in a hot-cue slot, or in the first empty one. */
  saveLoop(deck: DeckId, slot?: number): void {
    this.#cues.saveLoop(deck, slot);
  }

  /** Sets the start of a loop, of the deck or of one stem. */
  loopIn(deck: DeckId, stem?: StemType): void {
    this.#loops.in(deck, stem);
  }

  /** Sets the end of the loop and activates it. */
  loopOut(deck: DeckId, stem?: StemType): void {
    this.#loops.out(deck, stem);
  }

  /** Activates or deactivates the loop of the deck or of one stem. */
  toggleLoop(deck: DeckId, stem?: StemType): void {
    this.#loops.toggle(deck, stem);
  }

  /** Loops 1/32 to 64 beats from the position, on the deck or one stem; the same length again ends the loop. */
  beatLoop(deck: DeckId, beats: number, stem?: StemType): void {
    this.#loops.beats(deck, beats, stem);
  }

  /** Halves the loop. */
  halveLoop(deck: DeckId, stem?: StemType): void {
    this.#loops.scale(deck, 1 / 2, stem);
  }

  /** Doubles the loop. */
  doubleLoop(deck: DeckId, stem?: StemType): void {
    this.#loops.scale(deck, 2, stem);
  }

  /** Changes the length of an existing loop, in beats from its start. */
  resizeLoop(deck: DeckId, beats: number, stem?: StemType): void {
    this.#loops.resize(deck, beats, stem);
  }

  /** Moves the loop by a number of beats; negative is earlier. */
  moveLoop(deck: DeckId, beats: number, stem?: StemType): void {
    this.#loops.move(deck, beats, stem);
  }

  /** Starts a loop roll of a number of beats, with slip. */
  rollStart(deck: DeckId, beats: number): void {
    this.#loops.rollStart(deck, beats);
  }

  /** Ends the loop roll. */
  rollEnd(deck: DeckId): void {
    this.#loops.rollEnd(deck);
  }

  /** Jumps by a number of beats in phase; negative is back. */
  beatJump(deck: DeckId, beats: number): void {
    beatJump(this.#core, deck, beats);
  }

  /** Toggles slip. */
  toggleSlip(deck: DeckId): void {
    const { is_slipping } = this.#core.state(deck);
    this.#core.act({ event: 'set_deck', deck, changes: { is_slipping: !is_slipping } });
  }

  /** Bends the tempo by a factor around 1 while a jog wheel is nudged; null ends it. */
  nudge(deck: DeckId, factor: number | null): void {
    this.#core.engine?.sendManual({ type: 'bend', deck, factor: factor ?? 1 });
  }

  /** Holds the platter and turns it at `rate` of the recorded speed, 0 to hold it still; null releases it. */
  scratch(deck: DeckId, rate: number | null): void {
    this.#core.hold(deck, rate);
  }

  /**
   * Brakes the platter to a stop, or spins it back until it stops, in the times of the session; {@link scratch} with
   * null releases it.
   */
  stopPlatter(deck: DeckId, motion: PlatterMotion): void {
    const { brake_seconds, spin_back_seconds } = this.session.getState().mixer;
    this.#core.hold(deck, { motion, seconds: motion === 'brake' ? brake_seconds : spin_back_seconds });
  }

  /**
   * Sets the tempo fader, in percent within its range. On a deck that follows, the leader changes in proportion, so
   * that both stay in sync.
   */
  setTempo(deck: DeckId, percent: number): void {
    this.#core.act(tempoMessage(this.session.getState(), deck, percent));
  }

  /** Toggles sync to tempo and beats of the other deck, which then leads. */
  sync(deck: DeckId): void {
    const { is_synced } = this.#core.state(deck);
    this.#core.act({ event: 'set_deck', deck, changes: { is_synced: !is_synced } });
  }

  /** Retries a failed load, with the position, cues and loop of the deck. */
  retry(deck: DeckId): void {
    this.#core.retry(deck);
  }

  /** Loads the beat grid of a deck's track again, after an edit. */
  reloadGrid(deck: DeckId): void {
    void this.#core.loadGrid(deck);
  }

  /**
   * Records the master output until it is stopped or another window takes the audio.
   *
   * @throws Error where this window does not play the audio
   */
  startRecording(): void {
    this.#core.recorder.start();
  }

  /**
   * Ends the recording and returns its WAV file, or that of the last recording if none is running. Rejects if there
   * is none.
   */
  stopRecording(): Promise<Blob> {
    return this.#core.recorder.stop();
  }

  /** Recorded seconds now, and what was noted during the running or last recording. */
  recorded(): { readonly seconds: number; readonly notes: readonly RecordingNote[] } {
    return { seconds: this.#core.recorder.seconds, notes: this.#core.recorder.notes };
  }

  /** Adds a note to the running recording. */
  noteInRecording(note: RecordingNote): void {
    this.#core.recorder.note(note);
  }

  /** Releases everything. */
  dispose(): void {
    this.#core.dispose();
  }
}
