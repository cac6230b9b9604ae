import type { LocalDeck } from '@stem-studio/audio/deck/local-deck';
import type { ControlId } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckState, MixerState } from '@stem-studio/contract/resources/deck-session';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Control } from '../../state/controls/control.ts';
import type { DjEngine } from '../../state/decks/dj-engine.ts';
import type { DjState } from '../../state/decks/dj-state.ts';
import { useStore } from '../../ui/use-store.ts';

/** The DJ engine of the surrounding panel. */
export const DjEngineContext = createContext<DjEngine | null>(null);

/** The DJ engine of the surrounding panel. */
export function useDjEngine(): DjEngine {
  const engine = useContext(DjEngineContext);
  if (!engine) throw new Error('components of the decks must be rendered inside of DjPanel');
  return engine;
}

/** A control and its value. */
export function useControl(id: ControlId): { control: Control; value: number } {
  const control = useDjEngine().controls[id];
  const value = useSyncExternalStore(control.subscribe, control.read);
  return { control, value };
}

/** A part of a deck that all windows of the session show. */
export function useDeck<Part>(deck: DeckId, select: (state: DeckState) => Part): Part {
  return useStore(useDjEngine().decks.session, (session) => select(session.decks[deck]));
}

/** A part of a deck that only this window has. */
export function useLocalDeck<Part>(deck: DeckId, select: (local: LocalDeck) => Part): Part {
  return useStore(useDjEngine().decks.local, (local) => select(local[deck]));
}

/** A part of the mixer that all windows of the session show. */
export function useMixer<Part>(select: (mixer: MixerState) => Part): Part {
  return useStore(useDjEngine().decks.session, (session) => select(session.mixer));
}

/** A part of the state of this page alone. */
export function useDjState<Part>(select: (state: DjState) => Part): Part {
  return useStore(useDjEngine().state, select);
}
