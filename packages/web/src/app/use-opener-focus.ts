import { useEffect, useRef } from 'react';
import { route } from '../state/route.state.ts';
import { useScope } from '../ui/use-scope.ts';

/**
 * Gives the focus back to whatever had it when the open track was opened, once it is closed: who works by keyboard goes
 * on where they were. Does nothing when the focus has gone elsewhere meanwhile, or when the opener is no longer there.
 */
export function useOpenerFocus(openTrack: string | null): void {
  const opener = useRef<Element | null>(null);
  useScope((scope) => {
    // Heard before anything is drawn: what the open track covers has not lost the focus yet.
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
