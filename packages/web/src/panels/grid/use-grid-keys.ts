import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../../ui/is-typing.ts';
import { type GridAction, gridActionOf } from './grid-keys.ts';

/** Handles the keys of the beat grid anywhere on the page, except in text fields and dialogs. */
export function useGridKeys(perform: (action: GridAction, event: KeyboardEvent) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event)) return;
    const action = gridActionOf(event);
    if (!action) return;
    // A held key repeats only nudges.
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
