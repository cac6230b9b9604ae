import type { DeckMessage, DeckPush } from '../events/decks.ts';
import { type DeckId, deckIds } from '../resources/deck-id.ts';
import type { DeckSessionState, DeckState } from '../resources/deck-session.ts';
import { isSame } from './is-same.ts';

type PushBody = DeckPush extends infer P ? (P extends DeckPush ? Omit<P, 'version' | 'more'> : never) : never;

/**
 * Returns the pushes that describe a change of a session: one per changed part, in the most compact event for it.
 * Empty if nothing changed. All have the same version, and all but the last are flagged with `more`.
 *
 * @param message message that caused the change; null if no window caused it
 * @param version version of the session after the change
 */
export function deckPushesOf(
  message: DeckMessage | null,
  before: DeckSessionState,
  after: DeckSessionState,
  version: number,
): DeckPush[] {
  const parts: PushBody[] = deckIds.flatMap(
    (deck) => deckPart(message, deck, before.decks[deck], after.decks[deck]) ?? [],
  );
  if (!isSame(before.mixer, after.mixer)) parts.push({ event: 'mixer_update', mixer: after.mixer });
  return parts.map((part, i) => ({ ...part, version, ...(i < parts.length - 1 && { more: true }) }));
}

function deckPart(
  message: DeckMessage | null,
  deck: DeckId,
  before: DeckState,
  after: DeckState,
): PushBody | null {
  const changed = changedFields(before, after);
  if (changed.length === 0) return null;
  const { stems, processing_job_id } = after;
  const isStems = changed.every((field) => field === 'stems');
  if (message?.event === 'update_volume' && isStems) {
    const { event, stem_type, volume } = message;
    return { event, deck, stem_type, volume };
  }
  if (isStems && message?.event !== 'load_stems') return { event: 'stem_update', deck, stems };
  if (changed.every((field) => field === 'stems' || field === 'processing_job_id'))
    return { event: 'load_stems', deck, processing_job_id, stems };
  return { event: 'deck_update', deck, state: after };
}

function changedFields(before: DeckState, after: DeckState): (keyof DeckState)[] {
  if (before === after) return [];
  const fields = Object.keys(after) as (keyof DeckState)[];
  return fields.filter((field) => !isSame(before[field], after[field]));
}

/** Returns a session with a push applied: the inverse of {@link deckPushesOf}. */
export function applyDeckPush(session: DeckSessionState, push: DeckPush): DeckSessionState {
  if (push.event === 'mixer_update') return { ...session, mixer: push.mixer };
  const deck = session.decks[push.deck];
  return { ...session, decks: { ...session.decks, [push.deck]: pushedDeck(deck, push) } };
}

function pushedDeck(deck: DeckState, push: Exclude<DeckPush, { event: 'mixer_update' }>): DeckState {
  switch (push.event) {
    case 'deck_update':
      return push.state;
    case 'stem_update':
      return { ...deck, stems: push.stems };
    case 'load_stems':
      return { ...deck, stems: push.stems, processing_job_id: push.processing_job_id };
    case 'update_volume': {
      const { stem_type, volume } = push;
      const stems = deck.stems.map((stem) => (stem.stem_type === stem_type ? { ...stem, volume } : stem));
      return { ...deck, stems };
    }
  }
}
