import { Scope } from '@stem-studio/audio/base/scope';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { deckIds } from '@stem-studio/contract/resources/deck-id';
import type { LinkedDecks } from './linked-decks.ts';
import { isAbandoned, SILENT_MS, shouldClaimAudio } from './should-claim-audio.ts';
import type { DeckWindows } from './window-locks.ts';

/** Time in which a reloaded or reconnecting window returns and takes over the audio before others do. */
const RETURN_MS = 1000;
/** Time after joining in which a window is considered the successor of the one that released the audio. */
const ARRIVAL_MS = 5000;
/** Tolerance between the position of a deck and the one in the session. */
const SETTLED_MS = 1;

/** Options of {@link AudioOwnership}. */
export interface AudioOwnershipOptions {
  readonly decks: LinkedDecks;
  /** Name of this window. */
  readonly client: string;
  readonly windows: DeckWindows;
  /** Returns the time of the service's clock, in ms. */
  readonly now: () => number;
}

/**
 * Decides which window of a session plays the audio. Another window takes over when it has released the audio, has
 * disappeared, or when the user requests it.
 */
export class AudioOwnership {
  readonly #options: AudioOwnershipOptions;
  #isJoined = false;
  #joinedMs = Number.NEGATIVE_INFINITY;
  #watched: string | null = null;
  /** The last seen `audio_left_at`. */
  #leftMs: number | null = null;
  /** Timers and locks that wait for the playing window to end; disposed by the first event. */
  #wait = new Scope();

  constructor(options: AudioOwnershipOptions) {
    this.#options = options;
  }

  /** Whether this window plays the audio. */
  get isMine(): boolean {
    return this.#namedWindow() === this.#options.client;
  }

  /** Handles a change of the session: plays the audio here, or watches the window that does. */
  follow(): void {
    this.#options.decks.setAudioEnabled(this.isMine);
    const name = this.#namedWindow();
    if (!this.#isJoined) return;
    const { audio_left_at } = this.#options.decks.session.getState().mixer;
    const hasChanged = audio_left_at !== this.#leftMs;
    this.#leftMs = audio_left_at;
    if (this.isMine && audio_left_at !== null) return this.#return();
    if (name === this.#watched) {
      if (hasChanged) void this.#watch(false, audio_left_at !== null);
      return;
    }
    // The page that was here before a reload has released the audio.
    const isArriving = this.#options.now() - this.#joinedMs < ARRIVAL_MS;
    void this.#watch(isArriving && name === null);
  }

  /** Handles a join, with the session known: takes over the audio if no window plays it any more. */
  joined(): void {
    const isFirst = !this.#isJoined;
    this.#isJoined = true;
    if (isFirst) this.#joinedMs = this.#options.now();
    const { audio_left_at } = this.#options.decks.session.getState().mixer;
    this.#leftMs = audio_left_at;
    if (this.isMine && audio_left_at !== null) this.#return();
    void this.#watch(isFirst || this.#namedWindow() === null);
  }

  /** Handles a disconnection: the state of other windows is unknown until the reconnection. */
  lost(): void {
    this.#waitAnew();
  }

  /** Handles a message of this window: if it starts a deck and no window plays audio, this one does. */
  did(message: DeckMessage): void {
    if (message.event === 'set_mixer' || this.#namedWindow() !== null) return;
    const { is_playing } = this.#options.decks.session.getState().decks[message.deck];
    if (is_playing) this.claim();
  }

  /** Takes over the audio from any window. */
  claim(): void {
    const { decks, client } = this.#options;
    this.#waitAnew();
    if (!this.isMine) decks.dispatch({ event: 'set_mixer', changes: { sound_client: client } });
    this.#options.windows.noteSounding(client);
    decks.setAudioEnabled(true);
  }

  /** Pauses the decks that play here, reports their positions and releases the audio. */
  release(): void {
    if (!this.isMine) return;
    const { decks } = this.#options;
    for (const deck of deckIds) {
      const { track_id, is_playing, position_ms: reportedMs } = decks.session.getState().decks[deck];
      if (track_id === null) continue;
      const position_ms = decks.positionSeconds(deck) * 1000;
      if (is_playing) decks.dispatch({ event: 'pause', deck, position_ms });
      // It stopped a moment ago, and its position has not been reported.
      else if (Math.abs(position_ms - reportedMs) > SETTLED_MS)
        decks.dispatch({ event: 'report_position', deck, position_ms });
    }
    decks.dispatch({ event: 'set_mixer', changes: { sound_client: null } });
    decks.setAudioEnabled(false);
  }

  /** Stops waiting for other windows. */
  dispose(): void {
    this.#wait.dispose();
  }

  /** Reports that this window is connected again, before another one takes over the audio. */
  #return(): void {
    this.#leftMs = null;
    this.#options.decks.dispatch({ event: 'set_mixer', changes: { audio_left_at: null } });
  }

  /** Takes over unowned audio; decks that played in a vanished window are paused. */
  #begin(): void {
    const { decks, now } = this.#options;
    for (const deck of this.isMine ? [] : deckIds) {
      const state = decks.session.getState().decks[deck];
      if (!state.is_playing) continue;
      // A deck abandoned long ago did not continue.
      const isLeft = isAbandoned(state, now());
      decks.dispatch({ event: 'pause', deck, ...(isLeft && { position_ms: state.position_ms }) });
    }
    this.claim();
  }

  /**
   * @param isJoining whether the window has just joined; only then it judges a window of another browser by its
   *   silence, so that after an outage of the service the first window back takes over nothing
   * @param isLeaving whether the service has just seen the connection of the playing window end
   */
  async #watch(isJoining: boolean, isLeaving = false): Promise<void> {
    const { decks, client, windows, now } = this.#options;
    const wait = this.#waitAnew();
    const name = this.#namedWindow();
    this.#watched = name;
    if (name === client && !isJoining) return;
    const whereabouts = name === null || name === client ? null : await windows.find(name);
    if (wait.isDisposed) return;
    const isDue = () => shouldClaimAudio(decks.session.getState(), { client, whereabouts, now: now() });
    const beginAfter = (ms: number, isStillDue: () => boolean) =>
      wait.after(ms, () => {
        if (isStillDue()) this.#begin();
      });
    if (isJoining && isDue()) return this.#begin();
    const isNamed = () => name !== null && this.#namedWindow() === name;
    if (whereabouts === 'open' && name !== null)
      // It may be the page that was here before a reload, and is about to end.
      await windows.untilGone(name, wait.signal).then(
        () => beginAfter(RETURN_MS, isNamed),
        () => undefined,
      );
    else if (whereabouts === 'gone') beginAfter(RETURN_MS, isNamed);
    else if (this.#leftMs !== null && (isJoining || isLeaving)) {
      const passedMs = isJoining ? now() - this.#leftMs : 0;
      beginAfter(Math.max(0, RETURN_MS - passedMs), () => isNamed() && this.#leftMs !== null);
    } else if (isJoining) beginAfter(SILENT_MS + RETURN_MS, isDue);
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
