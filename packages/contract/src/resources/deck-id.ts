import { z } from 'zod';

/** Ids of the two decks. */
export const deckIds = ['a', 'b'] as const;
/** Deck id; `A` and `B` are accepted for `a` and `b`. */
export const deckId = z
  .string()
  .transform((name) => name.toLowerCase())
  .pipe(z.enum(deckIds));
/** Deck id. */
export type DeckId = (typeof deckIds)[number];
