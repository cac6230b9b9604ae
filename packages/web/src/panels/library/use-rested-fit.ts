import type { Track } from '@stem-studio/contract/resources/track';
import { useEffect, useState } from 'react';
import { references } from '../../state/reference.state.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useStore } from '../../ui/use-store.ts';

/** Pause after a tempo change before the list is sorted again, in milliseconds. */
const REST_MS = 400;

/** Returns the track that the library is sorted by: a new track at once, a new tempo after a pause. */
export function useRestedFit(): Track | null {
  const now = useStore(references, (state) => (state.sortedBy === null ? null : state[state.sortedBy]));
  const [rested, setRested] = useState(now);
  const restSoon = useDebounced(setRested, REST_MS);
  const isAnother = now?.id !== rested?.id;
  if (isAnother) setRested(now);
  useEffect(() => restSoon(now), [now, restSoon]);
  return isAnother ? now : rested;
}
