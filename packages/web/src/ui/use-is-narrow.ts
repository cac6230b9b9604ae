import { useSyncExternalStore } from 'react';

/** Returns a hook for whether a media query matches. */
function createMediaHook(query: string): () => boolean {
  const subscribe = (changed: () => void) => {
    const media = matchMedia(query);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  };
  return () => useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Whether the page is as narrow as a phone; the style sheets use the same width. */
export const useIsNarrow = createMediaHook('(max-width: 760px)');

/** Whether the main pointer is a finger. */
export const useIsTouch = createMediaHook('(pointer: coarse)');
