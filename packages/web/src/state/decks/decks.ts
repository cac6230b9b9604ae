import type { DeckController } from '@stem-studio/audio/deck/deck-controller';

/** The two decks with their state and commands, without what links them to the service. */
export type Decks = Omit<DeckController, 'onMessage' | 'take' | 'setAudioEnabled' | 'dispose'>;
