import { applyDeckMessage, type DeckFacts } from '@stem-studio/contract/decks/apply-deck-message';
import { applyDeckPush } from '@stem-studio/contract/decks/deck-pushes';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage, DeckPush, DeckReply, DeckWelcome } from '@stem-studio/contract/events/decks';
import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import {
  type DeckSession,
  type DeckSessionState,
  type DeckState,
} from '@stem-studio/contract/resources/deck-session';
import { carryOver } from './carry-over.ts';
import { isTempo, type PendingMessage, withDone } from './deck-outbox.ts';
import { isElsewhere, setsPosition } from './deck-position.ts';

/** A message of this window that the service has accepted as a version, before that version is confirmed. */
interface OwnVersion {
  readonly pending: PendingMessage;
  readonly facts: DeckFacts;
}

/** Tolerance between two computations from the same numbers; a larger difference means that the deck was moved. */
const EXACT_MS = 0.5;
/** Tolerance after a reconnection, when tempo changes of other windows may be unknown here. */
const ROUGH_MS = 150;

/**
 * Client-side state of a deck session: the state confirmed by the service, in the order of its versions, and the
 * pending messages of this window. The shown state is the pending messages applied to the confirmed state by the
 * service's own rules, so all windows converge regardless of message order.
 *
 * `welcome, pushes, replies → confirmed (+ pending) → shown`
 *
 * @see docs/decisions/0192-deck-sessions.md
 */
export class DeckLedger {
  readonly #client: string;
  #confirmed: DeckSession | null = null;
  #pending: PendingMessage[] = [];
  #lastSeq = 0;
  /** Highest version announced by the service. */
  #newest = 0;
  /** Versions that are not confirmed yet: pushes, which must be complete, or an own message. */
  readonly #pushes = new Map<number, DeckPush[]>();
  readonly #own = new Map<number, OwnVersion>();
  /** Decks that other windows moved since the last {@link takeMoved}. */
  readonly #moved = new Set<DeckId>();
  /** State that is being carried over into a session; it is shown until the session contains all of it. */
  #carried: DeckSessionState | null = null;

  /** @param client name of this window */
  constructor(client: string) {
    this.#client = client;
  }

  /** Session state confirmed by the service; null before the first welcome. */
  get confirmed(): DeckSession | null {
    return this.#confirmed;
  }

  /** Messages of this window that are not confirmed yet, in order. */
  get pending(): readonly PendingMessage[] {
    return this.#pending;
  }

  /** Whether the service has announced a version that is not confirmed here: the missing ones are late or lost. */
  get hasGap(): boolean {
    return this.#newest > (this.#confirmed?.version ?? 0);
  }

  /**
   * Replaces the confirmed state by the whole session. Sent messages are contained in it or are sent again under the
   * same number.
   */
  welcome({ session, taken }: DeckWelcome): void {
    const isOther = this.#confirmed !== null && this.#confirmed.id !== session.id;
    const lastTaken = taken.find(({ client }) => client === this.#client)?.seq ?? 0;
    const known = isOther ? null : this.#confirmed;
    const done = this.#pending.filter(({ seq }) => seq > 0 && seq <= lastTaken);
    if (isOther) this.#carried = null;
    for (const deck of this.#isCarrying ? [] : deckIds) {
      const after = session.decks[deck];
      const expected = known && applied(known, done, after.position_at).decks[deck];
      if (!expected || isElsewhere(expected, after, ROUGH_MS)) this.#setMoved(deck);
    }
    this.#confirmed = session;
    this.#newest = session.version;
    this.#lastSeq = Math.max(this.#lastSeq, lastTaken);
    this.#pushes.clear();
    this.#own.clear();
    // The previous session has ended; its pending messages do not apply to the new one.
    this.#pending = isOther
      ? []
      : inSendingOrder(this.#pending.flatMap((one) => (isOver(one, lastTaken) ? [] : [againOf(one)])));
  }

  /**
   * Takes over another, empty session and queues the messages that reproduce the state of this window, which is shown
   * unchanged in the meantime.
   *
   * @param own current state of the decks in this window
   * @param at time of the service's clock, in ms
   */
  carry(welcome: DeckWelcome, own: DeckSessionState, at: number): void {
    this.welcome(welcome);
    this.#moved.clear();
    this.#carried = own;
    this.#pending = carryOver(own).map((message) => ({
      message,
      at,
      seq: 0,
      isSent: false,
      isCarried: true,
    }));
  }

  /** Adds a message of this window. */
  done(message: DeckMessage, at: number): void {
    if (this.#carried) this.#carried = applyDeckMessage(this.#carried, message, { now: at });
    this.#pending = withDone(this.#pending, message, at);
  }

  /** Marks a message as sent, and returns it with the fields to transmit. */
  sent(one: PendingMessage): DeckMessage {
    const seq = one.seq === 0 ? ++this.#lastSeq : one.seq;
    this.#replace(one, { ...one, seq, isSent: true });
    return { ...one.message, client: this.#client, seq };
  }

  /**
   * Applies the reply to a message. Returns whether the shown state must be updated: a change of another window was
   * confirmed as well, or the message was dropped or confirmed after changes of others.
   *
   * @param seq number of the message
   */
  answered(seq: number, reply: DeckReply): boolean {
    const wasCarrying = this.#isCarrying;
    const hasOthersChanges = this.#taken(seq, reply);
    return hasOthersChanges || wasCarrying !== this.#isCarrying;
  }

  #taken(seq: number, reply: DeckReply): boolean {
    this.#newest = Math.max(this.#newest, reply.version);
    const one = this.#pending.find((other) => other.seq === seq);
    if (!one) return false;
    const version = this.#confirmed?.version ?? 0;
    if (!reply.accepted && reply.retry_after !== undefined) this.#putOff(one);
    else if (reply.taken_at === undefined || reply.version <= version) {
      this.#replace(one, null);
      return !reply.accepted;
    } else {
      this.#own.set(reply.version, { pending: one, facts: factsOf(reply.taken_at, reply.state) });
      return this.#advance() || isTempo(one.message);
    }
    return false;
  }

  /** Drops a message that the service refused. */
  refused(seq: number): void {
    const one = this.#pending.find((other) => other.seq === seq);
    if (one) this.#replace(one, null);
  }

  /** Applies a push caused by another window. Returns whether changes of others were confirmed. */
  receivePush(push: DeckPush): boolean {
    const before = this.#confirmed;
    if (!before || push.version <= before.version) return false;
    this.#newest = Math.max(this.#newest, push.version);
    this.#pushes.set(push.version, [...(this.#pushes.get(push.version) ?? []), push]);
    return this.#advance();
  }

  /** Returns the session state that this window shows. */
  shown(): DeckSessionState {
    if (this.#carried && this.#isCarrying) return this.#carried;
    const { decks, mixer } = this.#confirmed ?? createDeckSessionState();
    return applied({ decks, mixer }, this.#pending);
  }

  /**
   * Returns the decks that other windows moved since the last call, at their positions in {@link shown}. A deck that
   * this window moved meanwhile is excluded: the pending message takes effect later and overrides the move.
   */
  takeMoved(): ReadonlySet<DeckId> {
    const moved = new Set(
      [...this.#moved].filter((deck) => !this.#pending.some(({ message }) => setsPosition(message, deck))),
    );
    this.#moved.clear();
    return moved;
  }

  get #isCarrying(): boolean {
    return this.#carried !== null && this.#pending.some((one) => one.isCarried);
  }

  /** Confirms the versions that are next in order. Returns whether changes of other windows were among them. */
  #advance(): boolean {
    let hasOthersChanges = false;
    for (;;) {
      const before = this.#confirmed;
      if (!before) return hasOthersChanges;
      const version = before.version + 1;
      const own = this.#own.get(version);
      const pushes = this.#pushes.get(version);
      if (own) {
        this.#confirm(version, applyDeckMessage(before, own.pending.message, own.facts));
        this.#pending = this.#pending.filter((one) => one.seq !== own.pending.seq);
      } else if (pushes && !pushes.at(-1)?.more) {
        const after = pushes.reduce<DeckSessionState>(applyDeckPush, before);
        this.#confirm(version, after);
        hasOthersChanges = true;
        for (const deck of deckIds)
          if (isElsewhere(before.decks[deck], after.decks[deck], EXACT_MS)) this.#setMoved(deck);
      } else return hasOthersChanges;
      this.#own.delete(version);
      this.#pushes.delete(version);
    }
  }

  /** Marks a deck as moved by another window; earlier position reports of this window are obsolete. */
  #setMoved(deck: DeckId): void {
    this.#moved.add(deck);
    this.#pending = this.#pending.flatMap((one) => {
      if (one.message.event !== 'report_position' || one.message.deck !== deck) return [one];
      return one.isSent ? [{ ...one, isOvertaken: true }] : [];
    });
  }

  #confirm(version: number, { decks, mixer }: DeckSessionState): void {
    if (this.#confirmed) this.#confirmed = { id: this.#confirmed.id, version, decks, mixer };
  }

  /** Postpones a tempo that was sent too early, unless a later tempo is pending or another track was loaded. */
  #putOff(one: PendingMessage): void {
    if (!isTempo(one.message)) return this.#replace(one, null);
    const { deck } = one.message;
    const later = this.#pending.slice(this.#pending.indexOf(one) + 1);
    const isPast = later.some(
      ({ message }) => (isTempo(message) || message.event === 'load_track') && message.deck === deck,
    );
    this.#replace(one, isPast ? null : { ...one, seq: 0, isSent: false });
  }

  #replace(one: PendingMessage, next: PendingMessage | null): void {
    this.#pending = this.#pending.flatMap((other) => (other === one ? (next ?? []) : [other]));
  }
}

/** Returns whether a message need not be sent again: the service has accepted it, or it is obsolete. */
function isOver(one: PendingMessage, lastTaken: number): boolean {
  return one.isOvertaken === true || (one.seq > 0 && one.seq <= lastTaken);
}

/** Returns a session with pending messages applied, each at its own time, or all at the time `at`. */
function applied(
  session: DeckSessionState,
  pending: readonly PendingMessage[],
  at?: number,
): DeckSessionState {
  return pending
    .filter((one) => !one.isOvertaken)
    .reduce((before, one) => applyDeckMessage(before, one.message, { now: at ?? one.at }), session);
}

/**
 * Returns a message prepared for sending again. A tempo gets a new number, because it may wait while later messages
 * are sent.
 */
function againOf(one: PendingMessage): PendingMessage {
  return { ...one, isSent: false, seq: isTempo(one.message) ? 0 : one.seq };
}

/**
 * Orders messages for sending: those with a number first, because the service accepts no lower number after a higher
 * one. Drops a tempo that would follow a later load of another track.
 */
function inSendingOrder(pending: readonly PendingMessage[]): PendingMessage[] {
  const isOfSongBefore = ({ message }: PendingMessage, index: number) =>
    isTempo(message) &&
    pending
      .slice(index + 1)
      .some(({ message: later }) => later.event === 'load_track' && later.deck === message.deck);
  const fresh = pending.filter((one, index) => one.seq === 0 && !isOfSongBefore(one, index));
  return [...pending.filter(({ seq }) => seq > 0), ...fresh];
}

/** Returns the data that the service used to apply a message. */
function factsOf(now: number, state: DeckState | undefined): DeckFacts {
  if (!state) return { now };
  const { track_bpm, duration_ms, hot_cues, loudness_lufs, true_peak_db, processing_job_id } = state;
  const stems = state.stems.map(({ stem_type }) => stem_type);
  const separation = processing_job_id === null ? null : { processing_job_id, stems };
  const track = { track_bpm, duration_ms, hot_cues, loudness_lufs, true_peak_db, separation };
  return { now, track, stems };
}
