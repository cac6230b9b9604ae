import type { Track } from '@stem-studio/contract/resources/track';
import { useEffect, useState } from 'react';
import { references } from '../../state/reference.state.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useStore } from '../../ui/use-store.ts';

/** A list follows a tempo that is being moved after so many milliseconds of rest. */
const REST_MS = 400;

/** The track by whose company the library is ordered: another one at once, the same at another tempo after a rest. */
export function useRestedFit(): Track | null {
  const now = useStore(references, (state) => (state.sortedBy === null ? null : state[state.sortedBy]));
  const [rested, setRested] = useState(now);
  const restSoon = useDebounced(setRested, REST_MS);
  const isAnother = now?.id !== rested?.id;
  if (isAnother) setRested(now);
  useEffect(() => restSoon(now), [now, restSoon]);
  return isAnother ? now : rested;
}
