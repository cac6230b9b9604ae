import { applyDeckMessage, type DeckFacts } from '@stem-studio/contract/decks/apply-deck-message';
import { applyDeckPush } from '@stem-studio/contract/decks/deck-pushes';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage, DeckPush, DeckReply, DeckWelcome } from '@stem-studio/contract/events/decks';
import {
  type DeckId,
  type DeckSession,
  type DeckSessionState,
  type DeckState,
  deckIds,
} from '@stem-studio/contract/resources/deck-session';
import { carryOver } from './carry-over.ts';
import { isTempo, type PendingMessage, withDone } from './deck-outbox.ts';
import { isElsewhere, placesDeck } from './deck-place.ts';

/** An own message that made a version, before that version's turn has come. */
interface OwnVersion {
  readonly pending: PendingMessage;
  readonly facts: DeckFacts;
}

/** Both reckon by the same numbers: what differs by more was moved. */
const EXACT_MS = 0.5;
/** After a break others may have changed tempi that are not known here. */
const ROUGH_MS = 150;

/**
 * What a window knows of its deck session: what the service has confirmed, in the order of its versions, and what was
 * done here and is not confirmed yet. What is shown is the second applied to the first, by the rule that the service
 * has too; so all windows come to the same whatever order they did and heard things in.
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
  /** The highest version that the service has told of. */
  #newest = 0;
  /** Versions whose turn has not come: pushes, all of which must be there, or an own message. */
  readonly #pushes = new Map<number, DeckPush[]>();
  readonly #own = new Map<number, OwnVersion>();
  /** Decks that others put elsewhere since it was asked last. */
  readonly #moved = new Set<DeckId>();
  /** What is carried into a session, as it stands here; it is shown until the session has all of it. */
  #carried: DeckSessionState | null = null;

  /** @param client this window's name */
  constructor(client: string) {
    this.#client = client;
  }

  /** The session as far as the service has confirmed it; null before the first welcome. */
  get confirmed(): DeckSession | null {
    return this.#confirmed;
  }

  /** What was done here and is not confirmed yet, in its order. */
  get pending(): readonly PendingMessage[] {
    return this.#pending;
  }

  /** Whether the service is further than what is confirmed here: what lies between is late, or lost. */
  get hasGap(): boolean {
    return this.#newest > (this.#confirmed?.version ?? 0);
  }

  /** Takes the whole session; what was sent before is in it, or is to be sent again under the same number. */
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
    // Another session, for the other one has ended: what was done there is not to be done here.
    this.#pending = isOther
      ? []
      : inSendingOrder(this.#pending.flatMap((one) => (isOver(one, lastTaken) ? [] : [againOf(one)])));
  }

  /**
   * Takes another session, which is empty, and has it told what stands here: that goes on meanwhile as if nothing had
   * happened.
   *
   * @param own the decks as they stand here
   * @param at moment of the service's clock
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

  /** Takes what was done here. */
  done(message: DeckMessage, at: number): void {
    if (this.#carried) this.#carried = applyDeckMessage(this.#carried, message, { now: at });
    this.#pending = withDone(this.#pending, message, at);
  }

  /** Marks a message as sent, and answers it as it goes over the wire. */
  sent(one: PendingMessage): DeckMessage {
    const seq = one.seq === 0 ? ++this.#lastSeq : one.seq;
    this.#replace(one, { ...one, seq, isSent: true });
    return { ...one.message, client: this.#client, seq };
  }

  /**
   * Takes the answer to the message of this number. Answers whether the session is to be shown anew: something of another
   * window was confirmed too, or the message was dropped, or took its turn after others.
   */
  answered(seq: number, reply: DeckReply): boolean {
    const wasCarrying = this.#isCarrying;
    const hasNews = this.#taken(seq, reply);
    return hasNews || wasCarrying !== this.#isCarrying;
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

  /** The service refused the message of this number: it never happened. */
  refused(seq: number): void {
    const one = this.#pending.find((other) => other.seq === seq);
    if (one) this.#replace(one, null);
  }

  /** Takes what another window did. Answers whether the session moved by what others did. */
  heard(push: DeckPush): boolean {
    const before = this.#confirmed;
    if (!before || push.version <= before.version) return false;
    this.#newest = Math.max(this.#newest, push.version);
    this.#pushes.set(push.version, [...(this.#pushes.get(push.version) ?? []), push]);
    return this.#advance();
  }

  /** The session as this window shows it. */
  shown(): DeckSessionState {
    if (this.#carried && this.#isCarrying) return this.#carried;
    const { decks, mixer } = this.#confirmed ?? createDeckSessionState();
    return applied({ decks, mixer }, this.#pending);
  }

  /**
   * The decks that other windows put elsewhere since this was asked last, as {@link shown} has them. One that was put
   * elsewhere here meanwhile is none of them: what is done last holds, and the service has yet to take that.
   */
  takeMoved(): ReadonlySet<DeckId> {
    const moved = new Set(
      [...this.#moved].filter((deck) => !this.#pending.some(({ message }) => placesDeck(message, deck))),
    );
    this.#moved.clear();
    return moved;
  }

  get #isCarrying(): boolean {
    return this.#carried !== null && this.#pending.some((one) => one.isCarried);
  }

  /** Confirms what has its turn. Answers whether something that others did was among it. */
  #advance(): boolean {
    let hasNews = false;
    for (;;) {
      const before = this.#confirmed;
      if (!before) return hasNews;
      const version = before.version + 1;
      const own = this.#own.get(version);
      const pushes = this.#pushes.get(version);
      if (own) {
        this.#confirm(version, applyDeckMessage(before, own.pending.message, own.facts));
        this.#pending = this.#pending.filter((one) => one.seq !== own.pending.seq);
      } else if (pushes && !pushes.at(-1)?.more) {
        const after = pushes.reduce<DeckSessionState>(applyDeckPush, before);
        this.#confirm(version, after);
        hasNews = true;
        for (const deck of deckIds)
          if (isElsewhere(before.decks[deck], after.decks[deck], EXACT_MS)) this.#setMoved(deck);
      } else return hasNews;
      this.#own.delete(version);
      this.#pushes.delete(version);
    }
  }

  /** Others put a deck elsewhere: where it was reported before is past. */
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

  /** A tempo that came too soon goes again, unless a later one waits already, or another song is there by now. */
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

/** Whether a message need not go again: the service has it, or it is past. */
function isOver(one: PendingMessage, lastTaken: number): boolean {
  return one.isOvertaken === true || (one.seq > 0 && one.seq <= lastTaken);
}

/** A session with what was done here, each thing at its moment, or all of it `at`. */
function applied(
  session: DeckSessionState,
  pending: readonly PendingMessage[],
  at?: number,
): DeckSessionState {
  return pending
    .filter((one) => !one.isOvertaken)
    .reduce((before, one) => applyDeckMessage(before, one.message, { now: at ?? one.at }), session);
}

/** A message that goes again. A tempo gets a new number: it may wait while later ones go. */
function againOf(one: PendingMessage): PendingMessage {
  return { ...one, isSent: false, seq: isTempo(one.message) ? 0 : one.seq };
}

/**
 * What has a number goes before what gets a new one: the service takes no lower number after a higher one. A tempo that is
 * so put off is not that of a song that was loaded after it.
 */
function inSendingOrder(pending: readonly PendingMessage[]): PendingMessage[] {
  const isOfSongBefore = ({ message }: PendingMessage, place: number) =>
    isTempo(message) &&
    pending
      .slice(place + 1)
      .some(({ message: later }) => later.event === 'load_track' && later.deck === message.deck);
  const fresh = pending.filter((one, place) => one.seq === 0 && !isOfSongBefore(one, place));
  return [...pending.filter(({ seq }) => seq > 0), ...fresh];
}

/** What the service reckoned with. */
function factsOf(now: number, state: DeckState | undefined): DeckFacts {
  if (!state) return { now };
  const { track_bpm, duration_ms, hot_cues, stems } = state;
  return { now, track: { track_bpm, duration_ms, hot_cues }, stems: stems.map(({ stem_type }) => stem_type) };
}
