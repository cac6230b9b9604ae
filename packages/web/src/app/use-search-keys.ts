import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../ui/is-typing.ts';

/** Calls `find` on ⌘K, Ctrl+K and, outside of text fields, `/`. */
export function useSearchKeys(find: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k';
    const isSlash = event.key === '/' && !event.metaKey && !event.ctrlKey && !isTyping(event);
    if (!isCommand && !isSlash) return;
    event.preventDefault();
    find();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
