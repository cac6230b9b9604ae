import { useCallback, useEffect, useRef } from 'react';

/** `act`, but only once its caller has rested for `ms` milliseconds, with the last value given. */
export function useDebounced<Value>(act: (value: Value) => void, ms: number): (value: Value) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (value: Value) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => act(value), ms);
    },
    [act, ms],
  );
}
