import { useSyncExternalStore } from 'react';

const query = '(max-width: 900px)';

function subscribe(changed: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

/** Whether the page is so narrow that the sidebar is a drawer; the style sheets use the same width. */
export function useHasDrawer(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
