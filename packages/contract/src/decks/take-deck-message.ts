import type { DeckMessage, DeckPush, DeckReply } from '../events/decks.ts';
import { deckBounds } from '../limits.ts';
import type { DeckId } from '../resources/deck-id.ts';
import type { DeckSessionState } from '../resources/deck-session.ts';
import { applyDeckMessage, type DeckFacts } from './apply-deck-message.ts';
import { deckPushesOf } from './deck-pushes.ts';
import { createDeckSessionState } from './deck-session-state.ts';

/** A window and the sequence number of the last message accepted from it. */
export type TakenMessage = readonly [client: string, seq: number];

/**
 * Times at which the last tempo and the last reported position of a deck were accepted, in ms since 1970; 0 for
 * never.
 */
export interface DeckAcceptTimes {
  readonly tempo_ms: number;
  readonly report_ms: number;
}

/** Stored record of a deck session: its state and the data needed to accept or refuse messages. */
export interface DeckRecord {
  readonly state: DeckSessionState;
  readonly version: number;
  /** Last accepted message per window, the most recent last. */
  readonly taken: readonly TakenMessage[];
  readonly acceptTimes: Readonly<Record<DeckId, DeckAcceptTimes>>;
}

/** Outcome of an accepted message. */
export interface TakenDeckMessage {
  readonly record: DeckRecord;
  readonly reply: DeckReply;
  /** Pushes for the other windows. */
  readonly pushes: readonly DeckPush[];
}

const neverAccepted: DeckAcceptTimes = { tempo_ms: 0, report_ms: 0 };

/** Returns the record of a new session. */
export function createDeckRecord(): DeckRecord {
  return {
    state: createDeckSessionState(),
    version: 0,
    taken: [],
    acceptTimes: { a: neverAccepted, b: neverAccepted },
  };
}

/**
 * Returns the refusal of a message, or null if it is accepted. Refused are late and duplicate messages, and those
 * that exceed the rate limit of their kind.
 *
 * @param now time of the service's clock, in ms
 */
export function refuseDeckMessage(
  { state, version, taken, acceptTimes }: DeckRecord,
  message: DeckMessage,
  now: number,
): DeckReply | null {
  const refused = { accepted: false, version };
  const { client, seq } = message;
  if (seq !== undefined && taken.some(([window, last]) => window === client && seq <= last)) return refused;
  // A stopped deck reports only after its position has changed: no later report would correct a refused one.
  if (message.event === 'report_position' && !state.decks[message.deck].is_playing) return null;
  if (message.event === 'report_position')
    return now - acceptTimes[message.deck].report_ms < deckBounds.reportSeconds * 1000 ? refused : null;
  if (!isTempo(message)) return null;
  const waitMs = acceptTimes[message.deck].tempo_ms + deckBounds.bpmSeconds * 1000 - now;
  return waitMs > 0 ? { ...refused, retry_after: waitMs / 1000 } : null;
}

/** Returns the record, the reply and the pushes after an accepted message. */
export function takeDeckMessage(
  record: DeckRecord,
  message: DeckMessage,
  facts: DeckFacts,
): TakenDeckMessage {
  const state = applyDeckMessage(record.state, message, facts);
  const pushes = deckPushesOf(message, record.state, state, record.version + 1);
  const isChanged = pushes.length > 0;
  const version = record.version + (isChanged ? 1 : 0);
  const isLoad = message.event === 'load_track' || message.event === 'load_stems';
  return {
    record: {
      state: isChanged ? state : record.state,
      version,
      taken: withTaken(record.taken, message),
      acceptTimes: withAcceptTime(record.acceptTimes, message, facts.now),
    },
    reply: {
      accepted: true,
      version,
      ...(isChanged && { taken_at: facts.now }),
      ...(isLoad && { state: state.decks[message.deck] }),
    },
    pushes,
  };
}

function isTempo(message: DeckMessage): message is DeckMessage & { event: 'update_bpm' | 'set_bpm' } {
  return message.event === 'update_bpm' || message.event === 'set_bpm';
}

function withTaken(taken: readonly TakenMessage[], { client, seq }: DeckMessage): readonly TakenMessage[] {
  if (client === undefined || seq === undefined) return taken;
  const others = taken.filter(([window]) => window !== client);
  return [...others, [client, seq] as const].slice(-deckBounds.rememberedWindows);
}

function withAcceptTime(
  acceptTimes: DeckRecord['acceptTimes'],
  message: DeckMessage,
  now: number,
): DeckRecord['acceptTimes'] {
  if (message.event === 'set_mixer') return acceptTimes;
  const times = acceptTimes[message.deck];
  if (message.event === 'report_position')
    return { ...acceptTimes, [message.deck]: { ...times, report_ms: now } };
  return isTempo(message) ? { ...acceptTimes, [message.deck]: { ...times, tempo_ms: now } } : acceptTimes;
}
