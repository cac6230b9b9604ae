import { byteText } from '@stem-studio/contract/byte-text';
import { freeSpace } from '@stem-studio/contract/endpoints/account';
import { restoreTrack } from '@stem-studio/contract/endpoints/tracks';
import { purgeTrack } from '@stem-studio/contract/endpoints/trash';
import type { Track } from '@stem-studio/contract/resources/track';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { countText } from '../../base/format.ts';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { toast, toastError } from '../../state/toasts.state.ts';

const TOAST_MS = 6000;

/** Actions on the trash. Failures are shown as a toast. */
export interface TrashActions {
  restore(track: Track): Promise<void>;
  /** Deletes a track for good. */
  purge(track: Track): Promise<void>;
  /** Deletes all tracks of the trash for good. */
  empty(): Promise<void>;
}

/** Returns the actions on the trash, bound to the query cache. */
export function useTrashActions(): TrashActions {
  const client = useQueryClient();
  return useMemo(() => {
    const run = async (failure: string, action: () => Promise<string>) => {
      try {
        const title = await action();
        toast({ title, description: '', isError: false, timeoutMs: TOAST_MS, action: null });
      } catch (error) {
        toastError(failure, errorText(error));
      }
      for (const key of ['trash', 'tracks', 'jobs', 'usage'])
        void client.invalidateQueries({ queryKey: [key] });
    };
    return {
      restore: ({ id, title }) =>
        run(`“${title}” could not be restored`, async () => {
          await call(restoreTrack, { params: { id } });
          return `Restored “${title}”`;
        }),
      purge: ({ id, title }) =>
        run(`“${title}” was not deleted`, async () => {
          await call(purgeTrack, { params: { id } });
          return `Deleted “${title}” for good`;
        }),
      empty: () =>
        run('The trash was not emptied', async () => {
          const { data } = await call(freeSpace);
          return `Deleted ${countText(data.tracks, 'track')} for good, ${byteText(data.freed_bytes)} freed`;
        }),
    };
  }, [client]);
}
