import type { Scope } from '@stem-studio/audio/base/scope';
import type { LocalDeck } from '@stem-studio/audio/deck/local-deck';
import type { DeckId, DeckState, MixerState } from '@stem-studio/contract/resources/deck-session';
import { createContext, useContext } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { PictureRound } from '../../base/animation-loop.ts';
import type { DeckLinkStatus } from '../../client/deck-link.ts';
import { useStore } from '../../ui/use-store.ts';
import type { Desk } from './control-target.ts';
import type { DjState } from './dj-state.ts';
import type { HeadphoneChoice } from './headphone-choice.ts';

/** One line of the debug log. */
export interface DebugLine {
  at: number;
  event: string;
  deck: DeckId | null;
  accepted: boolean;
  version: number;
  detail: string;
}

/** How the window stands to the others of its session. */
export interface BoothState {
  /** Whether the service is told, and tells. */
  link: DeckLinkStatus;
  /** Whether the session has come at least once. */
  hasJoined: boolean;
  /** Whether the sound comes from this window. */
  isSounding: boolean;
  /** Why this browser cannot make the sound, and what to do; empty where it can. */
  refusal: string;
}

/** The decks of this page, with what draws them and what ties them to other windows. */
export interface DjBooth extends Desk {
  readonly booth: StoreApi<BoothState>;
  readonly round: PictureRound;
  readonly headphones: HeadphoneChoice;
  /** Lets the sound come from this window. */
  takeSound(): void;
  /** Hears the debug log for as long as `scope` lives. */
  followDebug(scope: Scope, heard: (line: DebugLine) => void): void;
}

/** The booth that a part of the page belongs to. */
export const BoothContext = createContext<DjBooth | null>(null);

/** The booth that a part of the page belongs to. */
export function useBooth(): DjBooth {
  const booth = useContext(BoothContext);
  if (!booth) throw new Error('a part of the decks must be drawn inside of them');
  return booth;
}

/** A part of a deck that all windows show alike. */
export function useDeck<Part>(deck: DeckId, select: (state: DeckState) => Part): Part {
  return useStore(useBooth().decks.session, (session) => select(session.decks[deck]));
}

/** A part of a deck that only this window knows. */
export function useLocalDeck<Part>(deck: DeckId, select: (local: LocalDeck) => Part): Part {
  return useStore(useBooth().decks.local, (local) => select(local[deck]));
}

/** A part of what both decks share. */
export function useMixer<Part>(select: (mixer: MixerState) => Part): Part {
  return useStore(useBooth().decks.session, (session) => select(session.mixer));
}

/** A part of what the page itself remembers. */
export function useDjState<Part>(select: (state: DjState) => Part): Part {
  return useStore(useBooth().state, select);
}
