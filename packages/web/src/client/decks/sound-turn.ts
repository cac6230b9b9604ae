import { Scope } from '@stem-studio/audio/base/scope';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { deckIds } from '@stem-studio/contract/resources/deck-session';
import type { LinkedDecks } from './linked-decks.ts';
import { isAbandoned, SILENT_MS, shouldTakeSound } from './should-take-sound.ts';
import type { DeckWindows } from './window-locks.ts';

/** A window that was reloaded is back by then, and takes the sound before the others do. */
const RETURN_MS = 3000;
/** A window that came so short a while ago is the one that the sound was left to. */
const ARRIVAL_MS = 5000;
/** Where a deck stands and where the session has it may differ by so much. */
const SETTLED_MS = 1;

/** What {@link SoundTurn} needs. */
export interface SoundTurnOptions {
  readonly decks: LinkedDecks;
  /** This window's name. */
  readonly client: string;
  readonly windows: DeckWindows;
  /** Milliseconds of the service's clock. */
  readonly now: () => number;
}

/**
 * Whose turn it is to sound. Of the windows of a session one sounds; another takes its place when it has left, when it is
 * gone without a word, or when the user says so.
 */
export class SoundTurn {
  readonly #options: SoundTurnOptions;
  #isJoined = false;
  #joinedMs = Number.NEGATIVE_INFINITY;
  #watched: string | null = null;
  /** What waits for the window that sounds to go; ended by whatever happens first. */
  #wait = new Scope();

  constructor(options: SoundTurnOptions) {
    this.#options = options;
  }

  /** Whether this window is the one that sounds. */
  get isMine(): boolean {
    return this.#namedWindow() === this.#options.client;
  }

  /** The session has changed: this window sounds, or watches the one that does. */
  follow(): void {
    this.#options.decks.setAudioEnabled(this.isMine);
    const name = this.#namedWindow();
    if (!this.#isJoined || name === this.#watched) return;
    // The page that stood here before a reload has left at last.
    const isArriving = this.#options.now() - this.#joinedMs < ARRIVAL_MS;
    void this.#watch(isArriving && name === null);
  }

  /** The window has joined, and the session is known: where nobody sounds any more it does. */
  joined(): void {
    const isFirst = !this.#isJoined;
    this.#isJoined = true;
    if (isFirst) this.#joinedMs = this.#options.now();
    void this.#watch(isFirst || this.#namedWindow() === null);
  }

  /** The wire is cut: what the others do is not known until it is back. */
  lost(): void {
    this.#waitAnew();
  }

  /** Something was done in this window: where it lets a deck play and no window sounds, this one does. */
  did(message: DeckMessage): void {
    if (message.event === 'set_mixer' || this.#namedWindow() !== null) return;
    const { is_playing } = this.#options.decks.session.getState().decks[message.deck];
    if (is_playing) this.take();
  }

  /** Takes the sound, whoever has it. */
  take(): void {
    const { decks, client } = this.#options;
    this.#waitAnew();
    if (!this.isMine) decks.dispatch({ event: 'set_mixer', changes: { sound_client: client } });
    this.#options.windows.noteSounding(client);
    decks.setAudioEnabled(true);
  }

  /** Pauses what sounds here, says where the decks stand and gives the sound away. */
  leave(): void {
    if (!this.isMine) return;
    const { decks } = this.#options;
    for (const deck of deckIds) {
      const { track_id, is_playing, position_ms: toldMs } = decks.session.getState().decks[deck];
      if (track_id === null) continue;
      const position_ms = decks.positionSeconds(deck) * 1000;
      if (is_playing) decks.dispatch({ event: 'pause', deck, position_ms });
      // It came to stand a moment ago, and has not said where.
      else if (Math.abs(position_ms - toldMs) > SETTLED_MS)
        decks.dispatch({ event: 'report_position', deck, position_ms });
    }
    decks.dispatch({ event: 'set_mixer', changes: { sound_client: null } });
    decks.setAudioEnabled(false);
  }

  /** Waits for nobody any more. */
  dispose(): void {
    this.#wait.dispose();
  }

  /** Takes the sound that nobody has; what played in a window that is gone does not start by itself. */
  #begin(): void {
    const { decks, now } = this.#options;
    for (const deck of this.isMine ? [] : deckIds) {
      const state = decks.session.getState().decks[deck];
      if (!state.is_playing) continue;
      // One that was left long ago did not play on.
      const isLeft = isAbandoned(state, now());
      decks.dispatch({ event: 'pause', deck, ...(isLeft && { position_ms: state.position_ms }) });
    }
    this.take();
  }

  /**
   * @param isJoining only who comes anew judges a window of another browser by its silence: where the service was away for
   *   a while, whoever is back first takes nothing from the one that sounds
   */
  async #watch(isJoining: boolean): Promise<void> {
    const { decks, client, windows, now } = this.#options;
    const wait = this.#waitAnew();
    const name = this.#namedWindow();
    this.#watched = name;
    if (name === client && !isJoining) return;
    const whereabouts = name === null || name === client ? null : await windows.find(name);
    if (wait.isDisposed) return;
    const isDue = () => shouldTakeSound(decks.session.getState(), { client, whereabouts, now: now() });
    const beginAfter = (ms: number, isStillDue: () => boolean) =>
      wait.after(ms, () => {
        if (isStillDue()) this.#begin();
      });
    if (isJoining && isDue()) return this.#begin();
    const isNamed = () => name !== null && this.#namedWindow() === name;
    if (whereabouts === 'open' && name !== null)
      // It may be the page that stood here before a reload, and is about to end.
      await windows.untilGone(name, wait.signal).then(
        () => beginAfter(RETURN_MS, isNamed),
        () => undefined,
      );
    else if (whereabouts === 'gone') beginAfter(RETURN_MS, isNamed);
    else if (isJoining) beginAfter(SILENT_MS + RETURN_MS, isDue);
  }

  #waitAnew(): Scope {
    this.#wait.dispose();
    this.#wait = new Scope();
    return this.#wait;
  }

  #namedWindow(): string | null {
    return this.#options.decks.session.getState().mixer.sound_client;
  }
}
