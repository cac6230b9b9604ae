import { useEffect, useEffectEvent } from 'react';
import { route } from '../../state/route.state.ts';
import { isTyping } from '../../ui/is-typing.ts';

/** Calls `undo` on Ctrl+Z and ⌘Z in the library, except in text fields and dialogs, and while a track is open. */
export function useUndoKey(undo: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
    const { tab, track } = route.getState();
    if (!isUndo || event.repeat || event.defaultPrevented || isTyping(event)) return;
    // The editor and the beat grid of an open track have their own histories.
    if (tab === 'jobs' || tab === 'networks' || tab === 'daw' || track !== null) return;
    event.preventDefault();
    undo();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
