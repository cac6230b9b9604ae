import { useEffect, useRef, useState } from 'react';

/** Pause after the last movement of a fader or knob before it is saved as one step, in ms. */
const SETTLED_MS = 400;

/** Returns a value that shows each movement at once and is saved after a pause, so that a drag is one step. */
export function useSettled(value: number, save: (value: number) => void) {
  const [moving, setMoving] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    value: moving ?? value,
    change: (next: number) => {
      setMoving(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        setMoving(null);
        save(next);
      }, SETTLED_MS);
    },
  };
}
