import { Scope } from '@stem-studio/audio/base/scope';
import { useEffect, useState } from 'react';

/** Looks for recordings of earlier visits of a user, none while null, and returns whether they are to be shown. */
export function useStoredRecordings(userId: number | null): boolean {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (userId === null) return undefined;
    const scope = new Scope();
    // Loaded after the first paint, which does not need it.
    import('../state/stored-recordings.state.ts').then(
      ({ findStoredRecordings, storedRecordings }) => {
        if (scope.isDisposed) return;
        scope.own(storedRecordings.subscribe((state) => setIsShown(state.isShown)));
        void findStoredRecordings(userId);
      },
      // Without the service: the next visit looks again.
      () => undefined,
    );
    return () => scope.dispose();
  }, [userId]);
  return isShown;
}
