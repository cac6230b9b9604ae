import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** Pause after the last movement of a fader or knob before it is saved as one step, in ms. */
const SETTLED_MS = 400;

/**
 * Returns a value that shows each movement at once and is saved after a pause, so that a drag is one step. What is not
 * saved yet is saved when the page is hidden or left.
 */
export function useSettled<T>(value: T, save: (value: T) => void) {
  const [moving, setMoving] = useState<{ readonly value: T } | null>(null);
  const pending = useRef<{ readonly value: T; readonly timer: ReturnType<typeof setTimeout> } | null>(null);
  const settle = useEffectEvent(() => {
    const { current } = pending;
    if (!current) return;
    pending.current = null;
    clearTimeout(current.timer);
    save(current.value);
    setMoving(null);
  });
  useEffect(() => {
    const leave = () => settle();
    // Phones end a page in the background without another event.
    const hide = () => document.visibilityState === 'hidden' && leave();
    globalThis.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    return () => {
      globalThis.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
      leave();
    };
  }, []);
  return {
    value: moving ? moving.value : value,
    change: (next: T) => {
      setMoving({ value: next });
      clearTimeout(pending.current?.timer);
      pending.current = { value: next, timer: setTimeout(() => settle(), SETTLED_MS) };
    },
  };
}
