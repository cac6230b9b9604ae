import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Live, openLive } from '../../client/live.ts';

/** The page's one connection to the library of `userId`; null until it is known who is there. */
export function useLive(userId: number | null): Live | null {
  const client = useQueryClient();
  const [live, setLive] = useState<Live | null>(null);
  useEffect(() => {
    if (userId === null) return undefined;
    const opened = openLive(client, userId);
    setLive(opened);
    return () => {
      opened.close();
      setLive(null);
    };
  }, [client, userId]);
  return live;
}
