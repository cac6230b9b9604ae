import type { DeckController } from '@stem-studio/audio/deck/deck-controller';

/** The two decks with their state and commands, without their link to the service. */
export type Decks = Omit<DeckController, 'onMessage' | 'take' | 'setAudioEnabled' | 'dispose'>;
