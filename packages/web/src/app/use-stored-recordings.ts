import { Scope } from '@stem-studio/audio/base/scope';
import { useEffect, useState } from 'react';
import { lastAccount, noteAccount } from '../client/last-account.ts';
import { onDemand } from '../client/on-demand.ts';
import { isOfflineCopy } from '../client/page-copy.ts';
import { hasRecordingFolder } from '../client/recordings/recording-root.ts';

const loadRecordings = onDemand(() => import('../state/stored-recordings.state.ts'));

/** Looks for recordings of earlier visits of a user, none while null, and returns whether they are to be shown. */
export function useStoredRecordings(account: number | null): boolean {
  // Without the service the recordings of the user who is logged in with this browser are offered.
  const userId = account ?? (isOfflineCopy() ? lastAccount() : null);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (account !== null) noteAccount(account);
  }, [account]);
  useEffect(() => {
    if (userId === null) return undefined;
    const scope = new Scope();
    const find = async () => {
      // Most visits have none, and need no script that reads them.
      if (!(await hasRecordingFolder()) || scope.isDisposed) return;
      const { findStoredRecordings, storedRecordings } = await loadRecordings();
      if (scope.isDisposed) return;
      scope.own(storedRecordings.subscribe((state) => setIsShown(state.isShown)));
      void findStoredRecordings(userId);
    };
    // Without the service: the next visit looks again.
    find().catch(() => undefined);
    return () => scope.dispose();
  }, [userId]);
  return isShown;
}
