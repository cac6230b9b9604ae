import type { Scope } from '@stem-studio/audio/base/scope';
import { loadPendingParts } from './on-demand.ts';
import { onServiceBack } from './service-reach.ts';

/** Pause before each part, so that the page can draw and react, in ms. */
const PAUSE_MS = 100;
/** Time after which a failed part is tried again, in ms. */
const RETRY_MS = 10_000;

/**
 * Loads the rest of the page part by part, so that everything opens without the service; goes on after failures until
 * `scope` ends.
 */
export function loadAhead(scope: Scope): void {
  let isLoading = false;
  const pause = () => new Promise<void>((resolve) => void scope.after(PAUSE_MS, resolve));
  const load = async () => {
    if (isLoading || scope.isDisposed) return;
    isLoading = true;
    try {
      await loadPendingParts(pause);
    } catch {
      scope.after(RETRY_MS, () => void load());
    } finally {
      isLoading = false;
    }
  };
  onServiceBack(scope, () => void load());
  void load();
}
