import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../../ui/is-typing.ts';
import { type GridAction, gridActionOf } from './grid-keys.ts';

/** Lets the keys of the beat grid work anywhere on the page, except where they belong to a field or a dialog. */
export function useGridKeys(perform: (action: GridAction, event: KeyboardEvent) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event)) return;
    const action = gridActionOf(event);
    if (!action) return;
    // Only shifts go on for as long as the key is held.
    if (event.repeat && action.do !== 'nudge') return;
    event.preventDefault();
    perform(action, event);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
