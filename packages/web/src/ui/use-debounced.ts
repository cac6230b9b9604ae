import { useCallback, useEffect, useRef } from 'react';

/** Returns `act` debounced: it runs with the last value after `ms` milliseconds without a call. */
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
