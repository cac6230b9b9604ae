import { useEffect, useRef } from 'react';

/**
 * Gives the focus back to whatever had it when the open track was opened, once it is closed: who works by keyboard goes
 * on where they were. Does nothing when the focus has gone elsewhere meanwhile, or when the opener is no longer there.
 */
export function useOpenerFocus(openTrack: string | null): void {
  const opener = useRef<Element | null>(null);
  const before = useRef<string | null>(openTrack);
  // What has the focus while this is drawn still has it from before: what the track covers loses it only afterwards.
  if (openTrack !== null && before.current === null) opener.current = document.activeElement;
  before.current = openTrack;
  useEffect(() => {
    if (openTrack !== null) return;
    const from = opener.current;
    opener.current = null;
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree && from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true });
  }, [openTrack]);
}
