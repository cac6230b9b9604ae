import type { effectSlotNames } from '@stem-studio/contract/effect-controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';

/** Address of a slot of effects. */
export type EffectAddress = `deck.${DeckId}.${(typeof effectSlotNames)[number]}` | 'mixer.effect';
