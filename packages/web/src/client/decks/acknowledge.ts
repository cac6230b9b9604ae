import { type DeckMessage, deckReply } from '@stem-studio/contract/events/decks';
import type { DeckLedger } from './deck-ledger.ts';
import type { DeckOutbox } from './deck-outbox.ts';

/** Effect of a reply: the session is shown already, has changed, or must be fetched again. */
export type Acknowledgement = 'shown' | 'changed' | 'invalid';

/**
 * Applies the service's reply to a message: it is confirmed, dropped, or sent again later. The session changes if the
 * reply has data that only the service knew (of a track, of stems), or if other windows acted before.
 */
export function acknowledge(
  ledger: Pick<DeckLedger, 'answered'>,
  outbox: Pick<DeckOutbox, 'tempoOpensIn'>,
  message: DeckMessage,
  seq: number,
  reply: unknown,
  ownMs: number,
): Acknowledgement {
  const parsed = deckReply.safeParse(reply);
  if (!parsed.success) return 'invalid';
  const { retry_after, state } = parsed.data;
  if (retry_after !== undefined && message.event !== 'set_mixer')
    outbox.tempoOpensIn(message.deck, retry_after, ownMs);
  const isChanged = ledger.answered(seq, parsed.data);
  return state || isChanged ? 'changed' : 'shown';
}

/** Reason of the service for refusing a message. */
export function refusalReason(reply: unknown): string {
  const reason = (reply as { reason?: unknown } | null)?.reason;
  return typeof reason === 'string' ? reason : 'the service rejected it';
}
