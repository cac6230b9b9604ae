import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckId, DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { StoreApi } from 'zustand/vanilla';
import { CueCommands } from './cue-commands.ts';
import { type DeckControllerOptions, DeckCore } from './deck-core.ts';
import { beatJump } from './jump-commands.ts';
import type { LocalDeck } from './local-deck.ts';
import { LoopCommands } from './loop-commands.ts';
import type { RecordingState } from './mix-recorder.ts';
import { tempoMessage } from './tempo-message.ts';

/** Nearer to its end than this a deck is at it. */
const AT_END_MS = 5;
const SILENT: readonly [number, number] = [0, 0];

/**
 * The two decks of a window. What is done acts at once: on the session that is shown, and on the booth where this window
 * sounds. Then it is sent, to whoever carries it to the service.
 *
 * `panel → dispatch → session → booth`, and `→ onMessage → service`; `service → take → session → booth`
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

  /** What is shown: the session as this window knows it. */
  get session(): StoreApi<DeckSessionState> {
    return this.#core.session;
  }

  /** What of the decks is this window's own. */
  get local(): StoreApi<Record<DeckId, LocalDeck>> {
    return this.#core.locals;
  }

  get recording(): StoreApi<RecordingState> {
    return this.#core.recording;
  }

  /** Does what a message says, at once, and tells it on. */
  dispatch(message: DeckMessage): void {
    this.#core.act(message);
  }

  /** Who hears what is done in this window; one listener. */
  onMessage(heard: (message: DeckMessage) => void): void {
    this.#core.heard = heard;
  }

  /** What is true now, whoever did it. A deck that sounds goes on where it is, unless somebody moved it. */
  take(session: DeckSessionState, moved?: ReadonlySet<DeckId>): void {
    this.#core.take(session, moved);
  }

  /** Lets the sound come from this window, or from it no more. What plays goes on; what was known of it is loaded. */
  setAudioEnabled(isSounding: boolean): void {
    this.#core.setAudioEnabled(isSounding);
  }

  /** Where a deck is heard now, in seconds of the song; where it would be, while another window sounds. */
  positionSeconds(deck: DeckId): number {
    return this.#core.positionSeconds(deck);
  }

  /** Highest samples of a deck after its fader, left and right. */
  levels(deck: DeckId): readonly [number, number] {
    return this.#core.engine?.sound(deck).levels() ?? SILENT;
  }

  /** Highest samples that left the limiter, left and right. */
  masterLevels(): readonly [number, number] {
    return this.#core.engine?.masterLevels() ?? SILENT;
  }

  /** Highest sample of source `index` of a deck, a stem or the song, before its strip. */
  sourceLevel(deck: DeckId, index: number): number {
    return this.#core.engine?.sound(deck).sourceLevel(index) ?? 0;
  }

  /** Whether loading something on a deck would cut off what the room hears. */
  isOverwriteRisky(deck: DeckId): boolean {
    return this.#core.state(deck).is_playing;
  }

  /** Plays or pauses. At the end of the song it begins again; after a failure it is tried again. */
  togglePlay(deck: DeckId): void {
    const state = this.#core.state(deck);
    if (state.track_id === null) return;
    if (this.#core.local(deck).preview && state.is_playing) {
      // Play during a preview: it goes on when the button is let go.
      this.#core.setLocal(deck, { preview: null });
      return;
    }
    this.#core.retry(deck);
    const position = this.positionSeconds(deck) * 1000;
    const isAtEnd = !state.is_playing && state.duration_ms > 0 && position >= state.duration_ms - AT_END_MS;
    this.#core.act({ event: 'toggle_play', deck, position_ms: isAtEnd ? 0 : position });
  }

  /** CUE is pressed: back to the cue and stop, play it while held, or set it. */
  pressCue(deck: DeckId): void {
    this.#cues.press(deck);
  }

  /** CUE is let go. */
  releaseCue(deck: DeckId): void {
    this.#cues.release(deck);
  }

  /** Sets the cue where the deck is. */
  setCueHere(deck: DeckId): void {
    this.#cues.setHere(deck);
  }

  /** A hot cue is pressed: set where it is empty, else jumped to; a deck that stands plays from it until it is let go. */
  pressHotCue(deck: DeckId, slot: number): void {
    this.#cues.pressSlot(deck, slot);
  }

  /** A hot cue is let go. */
  releaseHotCue(deck: DeckId, slot: number): void {
    this.#cues.releaseSlot(deck, slot);
  }

  /** Empties a hot cue. */
  deleteHotCue(deck: DeckId, slot: number): void {
    this.#cues.delete(deck, slot);
  }

  /** Keeps the loop in a slot of the hot cues, or in the first that is empty. */
  saveLoop(deck: DeckId, slot?: number): void {
    this.#cues.saveLoop(deck, slot);
  }

  /** A loop begins here, of the deck or of one of its stems. */
  loopIn(deck: DeckId, stem?: StemType): void {
    this.#loops.in(deck, stem);
  }

  /** The loop ends here, and goes round. */
  loopOut(deck: DeckId, stem?: StemType): void {
    this.#loops.out(deck, stem);
  }

  /** Loops or stops looping: the deck, or one of its stems. */
  toggleLoop(deck: DeckId, stem?: StemType): void {
    this.#loops.toggle(deck, stem);
  }

  /** A loop of 1/32 to 64 beats from here, of the deck or of one of its stems; the same again ends it. */
  beatLoop(deck: DeckId, beats: number, stem?: StemType): void {
    this.#loops.beats(deck, beats, stem);
  }

  /** Half as long a loop. */
  halveLoop(deck: DeckId, stem?: StemType): void {
    this.#loops.scale(deck, 1 / 2, stem);
  }

  /** Twice as long a loop. */
  doubleLoop(deck: DeckId, stem?: StemType): void {
    this.#loops.scale(deck, 2, stem);
  }

  /** A loop that is there gets another length, in beats from where it begins. */
  resizeLoop(deck: DeckId, beats: number, stem?: StemType): void {
    this.#loops.resize(deck, beats, stem);
  }

  /** The loop by so many beats later, or earlier. */
  moveLoop(deck: DeckId, beats: number, stem?: StemType): void {
    this.#loops.move(deck, beats, stem);
  }

  /** Loops so many beats while held; the song goes on unheard. */
  rollStart(deck: DeckId, beats: number): void {
    this.#loops.rollStart(deck, beats);
  }

  /** The roll is let go. */
  rollEnd(deck: DeckId): void {
    this.#loops.rollEnd(deck);
  }

  /** Jumps by beats in time with the music; negative is back. */
  beatJump(deck: DeckId, beats: number): void {
    beatJump(this.#core, deck, beats);
  }

  /** Slips or slips no more. */
  toggleSlip(deck: DeckId): void {
    const { is_slipping } = this.#core.state(deck);
    this.#core.act({ event: 'set_deck', deck, changes: { is_slipping: !is_slipping } });
  }

  /** Bends the tempo by a factor around 1 while a jog wheel is nudged; null lets go. */
  nudge(deck: DeckId, factor: number | null): void {
    this.#core.engine?.sendManual({ type: 'bend', deck, factor: factor ?? 1 });
  }

  /** Holds the platter and turns it at `rate` of the recorded pace, 0 to hold still; null lets go. */
  scratch(deck: DeckId, rate: number | null): void {
    this.#core.hold(deck, rate);
  }

  /**
   * The tempo fader, in percent within its range: heard at once; the link says it as often as the service hears it. On a
   * deck that follows it turns the leader by as much, and both stay together.
   */
  setTempo(deck: DeckId, percent: number): void {
    this.#core.act(tempoMessage(this.session.getState(), deck, percent));
  }

  /** Follows tempo and beats of the other deck, which then leads, or no more; nothing where there is nothing to follow. */
  sync(deck: DeckId): void {
    const { is_synced } = this.#core.state(deck);
    this.#core.act({ event: 'set_deck', deck, changes: { is_synced: !is_synced } });
  }

  /** Tries to load again what failed to load, for the place, the cues and the loop that the deck has. */
  retry(deck: DeckId): void {
    this.#core.retry(deck);
  }

  /** Looks at the beats of a deck's track again: they were edited. */
  reloadGrid(deck: DeckId): void {
    void this.#core.loadGrid(deck);
  }

  /**
   * Records what leaves the mixer, until it is stopped or another window takes the sound.
   *
   * @throws Error where this window does not sound
   */
  startRecording(): void {
    this.#core.recorder.start();
  }

  /** Ends the recording and answers with its WAV file, that of the last one where none runs. Rejects where there is none. */
  stopRecording(): Promise<Blob> {
    return this.#core.recorder.stop();
  }

  /** Lets go of everything. */
  dispose(): void {
    this.#core.dispose();
  }
}
