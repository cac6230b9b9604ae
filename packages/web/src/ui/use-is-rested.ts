import { useEffect, useState } from 'react';

/** Whether a value has been the same for `ms` milliseconds. */
export function useIsRested(value: string, ms: number): boolean {
  const [rested, setRested] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested === value;
}
