import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { deckBounds } from '@stem-studio/contract/limits';
import type { DeckId } from '@stem-studio/contract/resources/deck-session';

/** A message of this window that the session does not have for certain yet. */
export interface PendingMessage {
  message: DeckMessage;
  /** Moment of the service's clock when it was done here. */
  at: number;
  /** Its number; 0 until it is sent. */
  seq: number;
  isSent: boolean;
  /** Of a report: another window has moved the deck since. */
  isOvertaken?: boolean;
  /** Says what was there before this session, and is shown already: see `DeckLedger.carry`. */
  isCarried?: boolean;
}

/** A control is told so often at the most. */
const CONTROL_MS = 50;
/** Messages that may be sent at once, and those that are let through in a second after that: fewer than a socket may send. */
const BURST = 40;
const PER_SECOND = 14;

const continuousMixer: ReadonlySet<string> = new Set([
  'crossfader',
  'master_volume',
  'headphone_volume',
  'headphone_mix',
  'metronome_volume',
]);

/** Whether a message is a tempo. */
export function isTempo(message: DeckMessage): message is DeckMessage & { event: 'update_bpm' | 'set_bpm' } {
  return message.event === 'update_bpm' || message.event === 'set_bpm';
}

/** Which control a message turns that is turned without a break, so that only its last value counts; null for a press. */
export function controlOf(message: DeckMessage): string | null {
  switch (message.event) {
    case 'set_strip':
    case 'seek':
    case 'report_position':
      return `${message.event} ${message.deck}`;
    case 'update_volume':
      return `${message.event} ${message.deck} ${message.stem_type}`;
    case 'set_mixer':
      return Object.keys(message.changes).every((name) => continuousMixer.has(name)) ? message.event : null;
    default:
      return null;
  }
}

/** A later message of a control in the place of an earlier one. */
function merged(earlier: DeckMessage, later: DeckMessage): DeckMessage {
  if (earlier.event === 'set_strip' && later.event === 'set_strip')
    return { ...later, changes: { ...earlier.changes, ...later.changes } };
  if (earlier.event === 'set_mixer' && later.event === 'set_mixer')
    return { ...later, changes: { ...earlier.changes, ...later.changes } };
  return later;
}

/**
 * `pending` with something that was just done: a control that is still turning takes the place of its earlier value,
 * unless that was sent or a press lies between; of tempi that wait the last one stays.
 */
export function withDone(
  pending: readonly PendingMessage[],
  message: DeckMessage,
  at: number,
): PendingMessage[] {
  const done = { message, at, seq: 0, isSent: false };
  if (isTempo(message)) return [...pending.filter((one) => !waitsAsTempoOf(one, message.deck)), done];
  // The tempo of the song that was there before is not that of the new one.
  if (message.event === 'load_track')
    return [...pending.filter((one) => !waitsAsTempoOf(one, message.deck)), done];
  const control = controlOf(message);
  const place = control === null ? -1 : placeToMerge(pending, control);
  const earlier = pending[place];
  if (!earlier) return [...pending, done];
  return pending.with(place, { ...earlier, message: merged(earlier.message, message), at });
}

function waitsAsTempoOf({ message, seq }: PendingMessage, deck: DeckId): boolean {
  return seq === 0 && isTempo(message) && message.deck === deck;
}

function placeToMerge(pending: readonly PendingMessage[], control: string): number {
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

/** What goes next, or in how many milliseconds something may; null where nothing waits. */
export type NextMessage = { readonly pending: PendingMessage } | { readonly waitMs: number } | null;

/** When what may be sent: bounds of a socket, of a control, and of tempi. */
export class DeckOutbox {
  #left = BURST;
  #filledMs = 0;
  readonly #controlMs = new Map<string, number>();
  readonly #tempoOpensMs: Record<DeckId, number> = { a: 0, b: 0 };

  /** Which of `pending` is to be sent now. In order, but for tempi, which wait without holding up what comes after. */
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

  /** Counts a message that was sent. */
  sent(message: DeckMessage, nowMs: number): void {
    this.#left -= 1;
    const control = controlOf(message);
    if (control !== null) this.#controlMs.set(control, nowMs);
    if (isTempo(message)) this.#tempoOpensMs[message.deck] = nowMs + deckBounds.bpmSeconds * 1000;
  }

  /** The service takes a tempo of a deck in so many seconds. */
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
