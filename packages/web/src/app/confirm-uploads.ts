import type { Scope } from '@stem-studio/audio/base/scope';
import type { Uploads } from '../state/uploads.state.ts';

/**
 * Lets the browser ask for confirmation before the page is left while files are being uploaded, for as long as `scope`
 * lives. It listens only then, because a page that always listens is not put into the browser's back-forward cache.
 */
export function confirmUploads(scope: Scope, store: Uploads['store']): void {
  let stop: (() => void) | null = null;
  const look = () => {
    const isOpen = store
      .getState()
      .uploads.some(({ status }) => status === 'waiting' || status === 'sending');
    if (isOpen) stop ??= scope.listen(globalThis, 'beforeunload', (event) => event.preventDefault());
    else {
      stop?.();
      stop = null;
    }
  };
  scope.own(store.subscribe(look));
  look();
}
