import { useSyncExternalStore } from 'react';
import type { StoreApi } from 'zustand/vanilla';

/** The part of a store that `select` picks; draws again when that part changes. */
export function useStore<State, Part>(
  store: Pick<StoreApi<State>, 'getState' | 'subscribe'>,
  select: (state: State) => Part,
): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}
