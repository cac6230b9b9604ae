import type { Scope } from '@stem-studio/audio/base/scope';
import { healthLive } from '@stem-studio/contract/endpoints/health';
import { createStore } from 'zustand/vanilla';

/** Interval of the requests by which a page without a connection notices that the service is back, in ms. */
const PROBE_MS = 3000;

/** Whether the service answered the last request, or its connection is open. */
export const serviceReach = createStore<{ readonly isReachable: boolean }>(() => ({ isReachable: true }));

/** Notes whether the service was reached. */
export function noteReach(isReachable: boolean): void {
  if (serviceReach.getState().isReachable !== isReachable) serviceReach.setState({ isReachable });
}

/** Asks the service for a sign of life and returns whether it answered. */
export async function probeService(): Promise<boolean> {
  const isReachable = await fetch(healthLive.path, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  noteReach(isReachable);
  return isReachable;
}

/** Calls `back` each time when the service is reachable again, until `scope` ends. */
export function onServiceBack(scope: Scope, back: () => void): void {
  scope.own(
    serviceReach.subscribe((now, before) => {
      if (now.isReachable && !before.isReachable) back();
    }),
  );
}

/** Asks the service for signs of life while it is not reachable, until `scope` ends. */
export function watchReach(scope: Scope): void {
  scope.every(PROBE_MS, () => {
    if (!serviceReach.getState().isReachable) void probeService();
  });
}
