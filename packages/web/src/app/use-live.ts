import { Scope } from '@stem-studio/audio/base/scope';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createStore } from 'zustand/vanilla';
import type { LiveStatus } from '../client/live.ts';
import { onDemand } from '../client/on-demand.ts';
import { otherLogin } from '../client/renew-csrf-token.ts';
import { toastError } from '../state/toasts.state.ts';
import { useStore } from '../ui/use-store.ts';

const loadLive = onDemand(() => import('../client/live.ts'));

/** Time after which the code of the connection is loaded again if it could not be, in ms. */
const RETRY_MS = 3000;

/** Keeps the page's socket connection to the library of a user, none while null, and returns its status. */
export function useLive(userId: number | null): LiveStatus {
  const client = useQueryClient();
  const [store] = useState(() => createStore<{ status: LiveStatus }>(() => ({ status: 'connecting' })));
  useEffect(() => {
    if (userId === null) return undefined;
    const scope = new Scope();
    scope.own(
      otherLogin.subscribe(({ email }) => {
        if (email === null) return;
        const text = 'Nothing was changed. The page shows that account now.';
        toastError(`You are logged in as ${email} in another tab`, text);
        void client.resetQueries();
      }),
    );
    // Loaded after the first paint, which does not need it.
    const open = () =>
      void loadLive().then(
        ({ openLive }) => {
          if (!scope.isDisposed) scope.own(openLive(client, userId, (status) => store.setState({ status })));
        },
        () => {
          store.setState({ status: 'lost' });
          scope.after(RETRY_MS, open);
        },
      );
    open();
    return () => scope.dispose();
  }, [client, userId, store]);
  return useStore(store, (state) => state.status);
}
