import { useSyncExternalStore } from 'react';
import type { StoreApi } from 'zustand/vanilla';

/** Returns the part of a store that `select` picks, and rerenders when it changes. */
export function useStore<State, Part>(
  store: Pick<StoreApi<State>, 'getState' | 'subscribe'>,
  select: (state: State) => Part,
): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}
