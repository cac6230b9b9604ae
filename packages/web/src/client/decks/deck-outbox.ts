import { isContinuousEffect } from '@stem-studio/contract/decks/effect-slot';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { deckBounds } from '@stem-studio/contract/limits';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';

/** A message of this window that is not confirmed yet. */
export interface PendingMessage {
  message: DeckMessage;
  /** Time of the action by the service's clock, in ms. */
  at: number;
  /** Sequence number; 0 until it is sent. */
  seq: number;
  isSent: boolean;
  /** For a position report: whether another window has moved the deck since. */
  isOvertaken?: boolean;
  /** Whether it carries over earlier state that is shown already: see `DeckLedger.carry`. */
  isCarried?: boolean;
}

/** Minimum interval between two messages of the same continuous control, in ms. */
const CONTROL_MS = 50;
/** Capacity and refill rate per second of the token bucket; below the limits of a socket. */
const BURST = 40;
const PER_SECOND = 14;

const continuousMixer: ReadonlySet<string> = new Set([
  'crossfader',
  'master_volume',
  'headphone_volume',
  'headphone_mix',
  'metronome_volume',
]);

/** Returns whether a message sets the tempo. */
export function isTempo(message: DeckMessage): message is DeckMessage & { event: 'update_bpm' | 'set_bpm' } {
  return message.event === 'update_bpm' || message.event === 'set_bpm';
}

/**
 * Returns the continuous control that a message sets, of which only the last value matters; null for a discrete
 * action.
 */
export function controlOf(message: DeckMessage): string | null {
  switch (message.event) {
    case 'set_strip':
    case 'seek':
    case 'report_position':
      return `${message.event} ${message.deck}`;
    case 'update_volume':
      return `${message.event} ${message.deck} ${message.stem_type}`;
    case 'set_mixer':
      return isContinuousMixer(message) ? message.event : null;
    case 'set_effect':
      return isContinuousEffect(message.changes) ? `${message.event} ${message.deck} ${message.slot}` : null;
    default:
      return null;
  }
}

function isContinuousMixer({ changes }: DeckMessage & { event: 'set_mixer' }): boolean {
  const { effect = {}, ...others } = changes;
  return isContinuousEffect(effect) && Object.keys(others).every((name) => continuousMixer.has(name));
}

/** Merges a later message of a control into an earlier one. */
function merged(earlier: DeckMessage, later: DeckMessage): DeckMessage {
  if (earlier.event === 'set_strip' && later.event === 'set_strip')
    return { ...later, changes: { ...earlier.changes, ...later.changes } };
  if (earlier.event === 'set_effect' && later.event === 'set_effect')
    return { ...later, changes: { ...earlier.changes, ...later.changes } };
  if (earlier.event === 'set_mixer' && later.event === 'set_mixer') {
    const effect = { ...earlier.changes.effect, ...later.changes.effect };
    const changes = { ...earlier.changes, ...later.changes };
    return { ...later, changes: changes.effect ? { ...changes, effect } : changes };
  }
  return later;
}

/**
 * Returns `pending` with a new message added. A value of a continuous control replaces its earlier unsent value
 * unless a discrete action lies between; of waiting tempi only the last is kept.
 */
export function withDone(
  pending: readonly PendingMessage[],
  message: DeckMessage,
  at: number,
): PendingMessage[] {
  const done = { message, at, seq: 0, isSent: false };
  if (isTempo(message)) return [...pending.filter((one) => !waitsAsTempoOf(one, message.deck)), done];
  // The tempo of the previous track does not apply to the new one.
  if (message.event === 'load_track')
    return [...pending.filter((one) => !waitsAsTempoOf(one, message.deck)), done];
  const control = controlOf(message);
  const index = control === null ? -1 : indexToMerge(pending, control);
  const earlier = pending[index];
  if (!earlier) return [...pending, done];
  return pending.with(index, { ...earlier, message: merged(earlier.message, message), at });
}

function waitsAsTempoOf({ message, seq }: PendingMessage, deck: DeckId): boolean {
  return seq === 0 && isTempo(message) && message.deck === deck;
}

function indexToMerge(pending: readonly PendingMessage[], control: string): number {
  for (let i = pending.length - 1; i >= 0; i--) {
    const one = pending[i];
    if (!one || one.seq !== 0) return -1;
    if (isTempo(one.message)) continue;
    const other = controlOf(one.message);
    if (other === control) return i;
    if (other === null) return -1;
  }
  return -1;
}

/** The next message to send, or the time in ms until one may be sent; null if none is pending. */
export type NextMessage = { readonly pending: PendingMessage } | { readonly waitMs: number } | null;

/** Rate limiter of outgoing messages: limits per socket, per continuous control, and for tempi. */
export class DeckOutbox {
  #left = BURST;
  #filledMs = 0;
  readonly #controlMs = new Map<string, number>();
  readonly #tempoOpensMs: Record<DeckId, number> = { a: 0, b: 0 };

  /**
   * Returns the message of `pending` to send now. Messages are sent in order, except that a waiting tempo does not
   * delay the messages after it.
   */
  next(pending: readonly PendingMessage[], nowMs: number): NextMessage {
    this.#fill(nowMs);
    let waitMs = Number.POSITIVE_INFINITY;
    const waiting = pending.filter((one) => !one.isSent);
    for (const [i, one] of waiting.entries()) {
      const { message } = one;
      if (isTempo(message)) {
        const opensMs = this.#tempoOpensMs[message.deck];
        if (opensMs <= nowMs) return this.#leftNow(one);
        waitMs = Math.min(waitMs, opensMs - nowMs);
        continue;
      }
      const isLast = waiting.slice(i + 1).every((later) => isTempo(later.message));
      const restMs = isLast ? this.#restOf(message, nowMs) : 0;
      if (restMs <= 0) return this.#leftNow(one);
      return { waitMs: Math.min(waitMs, restMs) };
    }
    return waitMs === Number.POSITIVE_INFINITY ? null : { waitMs };
  }

  /** Counts a sent message. */
  sent(message: DeckMessage, nowMs: number): void {
    this.#left -= 1;
    const control = controlOf(message);
    if (control !== null) this.#controlMs.set(control, nowMs);
    if (isTempo(message)) this.#tempoOpensMs[message.deck] = nowMs + deckBounds.bpmSeconds * 1000;
  }

  /**
   * Sets when the service accepts the next tempo of a deck.
   *
   * @param seconds time from now, in seconds
   */
  tempoOpensIn(deck: DeckId, seconds: number, nowMs: number): void {
    this.#tempoOpensMs[deck] = nowMs + seconds * 1000;
  }

  #leftNow(one: PendingMessage): NextMessage {
    return this.#left >= 1 ? { pending: one } : { waitMs: (1 - this.#left) * (1000 / PER_SECOND) };
  }

  #restOf(message: DeckMessage, nowMs: number): number {
    const control = controlOf(message);
    if (control === null) return 0;
    return (this.#controlMs.get(control) ?? Number.NEGATIVE_INFINITY) + CONTROL_MS - nowMs;
  }

  #fill(nowMs: number): void {
    const passedMs = this.#filledMs === 0 ? 0 : Math.max(0, nowMs - this.#filledMs);
    this.#left = Math.min(BURST, this.#left + (passedMs * PER_SECOND) / 1000);
    this.#filledMs = nowMs;
  }
}
