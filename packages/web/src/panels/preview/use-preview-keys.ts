import { useEffect, useEffectEvent } from 'react';
import { route } from '../../state/route.state.ts';
import { isTyping } from '../../ui/is-typing.ts';
import { keepsSpace } from '../../ui/pointer-focus.ts';

/** Calls `toggle` on Space, except in text fields, on buttons reached by keyboard, and beside the decks. */
export function usePreviewKeys(toggle: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== ' ' || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.defaultPrevented || isTyping(event) || route.getState().tab === 'dj' || keepsSpace(event))
      return;
    event.preventDefault();
    toggle();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
