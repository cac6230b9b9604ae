import type { DeckWelcome } from '@stem-studio/contract/events/decks';
import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import { meetOther } from './carry-over.ts';
import type { DeckLedger } from './deck-ledger.ts';
import type { DeckOutbox } from './deck-outbox.ts';
import type { LinkedDecks } from './linked-decks.ts';

/** Options of {@link enterSession}. */
export interface EnterSessionOptions {
  readonly decks: LinkedDecks;
  readonly ledger: Pick<DeckLedger, 'confirmed' | 'welcome' | 'carry'>;
  readonly outbox: Pick<DeckOutbox, 'tempoOpensIn'>;
  /** Name of this window. */
  readonly client: string;
  /** Milliseconds of the service's clock. */
  readonly now: () => number;
  /** Milliseconds by this machine's clock. */
  readonly ownMs: () => number;
}

/**
 * Enters the session of the service's welcome. After another login that is another session: the decks of this window
 * are carried over into it if it is empty. Returns false, without entering, if it has other decks while something
 * plays here.
 */
export function enterSession(options: EnterSessionOptions, welcome: DeckWelcome): boolean {
  const { decks, ledger, outbox, client, now, ownMs } = options;
  const { session } = welcome;
  const isOther = ledger.confirmed !== null && ledger.confirmed.id !== session.id;
  const meeting = isOther ? meetOther(decks.session.getState(), session, client) : 'follow';
  if (meeting === 'apart') return false;
  if (meeting === 'carry') {
    // No tempo was sent to this session yet, so the service accepts one at once.
    for (const deck of deckIds) outbox.tempoOpensIn(deck, 0, ownMs());
    ledger.carry(welcome, decksAtPosition(decks, now()), now());
  } else ledger.welcome(welcome);
  return true;
}

/** The decks of this window at their present positions. */
function decksAtPosition(decks: LinkedDecks, now: number): DeckSessionState {
  const { decks: both, mixer } = decks.session.getState();
  const atPosition = (deck: DeckId) => ({
    ...both[deck],
    position_ms: Math.min(both[deck].duration_ms, decks.positionSeconds(deck) * 1000),
    position_at: now,
  });
  return { decks: { a: atPosition('a'), b: atPosition('b') }, mixer };
}
