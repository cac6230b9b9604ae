import { useEffect, useRef } from 'react';
import { route } from '../state/route.state.ts';
import { useScope } from '../ui/use-scope.ts';

/**
 * Restores the focus to the element that opened the track when the track is closed. Does nothing if another element has
 * the focus by then, or if the opener is gone.
 */
export function useOpenerFocus(openTrack: string | null): void {
  const opener = useRef<Element | null>(null);
  useScope((scope) => {
    // Runs before React renders, while the opener still has the focus.
    scope.own(
      route.subscribe((now, before) => {
        if (now.track !== null && before.track === null) opener.current = document.activeElement;
      }),
    );
  }, []);
  useEffect(() => {
    if (openTrack !== null) return;
    const from = opener.current;
    opener.current = null;
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree && from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true });
  }, [openTrack]);
}
