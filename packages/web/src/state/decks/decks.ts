import type { DeckController } from '@stem-studio/audio/deck/deck-controller';

/** The two decks as the page works them, without what joins them to the service. */
export type Decks = Omit<DeckController, 'onMessage' | 'take' | 'setSounding' | 'dispose'>;
