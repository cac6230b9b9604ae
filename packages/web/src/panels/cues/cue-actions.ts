import {
  createCue,
  deleteCue,
  regenerateCues,
  restoreCue,
  updateCue,
} from '@stem-studio/contract/endpoints/cues';
import type { Cue } from '@stem-studio/contract/resources/cue';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { toast, toastError } from '../../state/toasts.state.ts';

/** How long the way back from a deletion is offered. */
const UNDO_MS = 10_000;

/** What can be done to the cue points of a track. Failures are told in a toast. */
export interface CueActions {
  /** Sets a cue point at a time in seconds. */
  add(seconds: number): Promise<void>;
  rename(cue: Cue, label: string): Promise<void>;
  recolor(cue: Cue, color: string): Promise<void>;
  /** Makes a found one the user's own. */
  promote(cue: Cue): Promise<void>;
  /** Deletes it and offers Undo. */
  remove(cue: Cue): Promise<void>;
  /** Has them placed anew; the job tells how far it is. */
  regenerate(): Promise<void>;
}

/** The actions on the cue points of a track, bound to the page's query cache. */
export function useCueActions(trackId: string): CueActions {
  const client = useQueryClient();
  return useMemo(() => cueActions(client, trackId), [client, trackId]);
}

function cueActions(client: QueryClient, trackId: string): CueActions {
  const told = async (what: string, action: () => Promise<unknown>) => {
    try {
      await action();
      await client.invalidateQueries({ queryKey: ['cues', trackId] });
    } catch (error) {
      toastError(what, errorText(error));
    }
  };
  const changed = (cue: Cue, body: { label?: string; color?: string; source?: 'manual' }) =>
    told(`“${cue.label}” was not changed`, () => call(updateCue, { params: { id: cue.id }, body }));
  return {
    add: (seconds) =>
      told('The cue point was not set', () =>
        call(createCue, { params: { id: trackId }, body: { position_ms: Math.round(seconds * 1000) } }),
      ),
    rename: (cue, label) => changed(cue, { label }),
    recolor: (cue, color) => changed(cue, { color }),
    promote: (cue) => changed(cue, { source: 'manual' }),
    remove: (cue) =>
      told(`“${cue.label}” was not deleted`, async () => {
        const params = { id: cue.id };
        await call(deleteCue, { params });
        toast({
          title: `Deleted “${cue.label}”`,
          description: cue.source === 'auto' ? 'It is not placed again.' : '',
          isError: false,
          timeoutMs: UNDO_MS,
          action: {
            words: 'Undo',
            does: () =>
              void told(`“${cue.label}” could not be brought back`, () => call(restoreCue, { params })),
          },
        });
      }),
    regenerate: () =>
      told('The cue points were not placed anew', async () => {
        await call(regenerateCues, { params: { id: trackId } });
        await client.invalidateQueries({ queryKey: ['jobs'] });
      }),
  };
}
