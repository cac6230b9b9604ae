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

/** How long Undo is offered, in milliseconds. */
const UNDO_MS = 10_000;

/** Actions on the cue points of a track. Failures are shown as a toast. */
export interface CueActions {
  /** Adds a cue point at a position in seconds. */
  add(seconds: number): Promise<void>;
  rename(cue: Cue, label: string): Promise<void>;
  recolor(cue: Cue, color: string): Promise<void>;
  /** Turns a detected cue point into a manual one. */
  promote(cue: Cue): Promise<void>;
  /** Deletes a cue point and offers Undo. */
  remove(cue: Cue): Promise<void>;
  /** Starts a job that detects the cue points again. */
  regenerate(): Promise<void>;
}

/** Returns the actions, bound to the query cache. */
export function useCueActions(trackId: string): CueActions {
  const client = useQueryClient();
  return useMemo(() => cueActions(client, trackId), [client, trackId]);
}

function cueActions(client: QueryClient, trackId: string): CueActions {
  const reportFailure = async (what: string, action: () => Promise<unknown>) => {
    try {
      await action();
      await client.invalidateQueries({ queryKey: ['cues', trackId] });
    } catch (error) {
      toastError(what, errorText(error));
    }
  };
  const changed = (cue: Cue, body: { label?: string; color?: string; source?: 'manual' }) =>
    reportFailure(`“${cue.label}” was not changed`, () => call(updateCue, { params: { id: cue.id }, body }));
  return {
    add: (seconds) =>
      reportFailure('The cue point was not added', () =>
        call(createCue, { params: { id: trackId }, body: { position_ms: Math.round(seconds * 1000) } }),
      ),
    rename: (cue, label) => changed(cue, { label }),
    recolor: (cue, color) => changed(cue, { color }),
    promote: (cue) => changed(cue, { source: 'manual' }),
    remove: (cue) =>
      reportFailure(`“${cue.label}” was not deleted`, async () => {
        const params = { id: cue.id };
        await call(deleteCue, { params });
        toast({
          title: `Deleted “${cue.label}”`,
          description: cue.source === 'auto' ? 'It will not be detected again.' : '',
          isError: false,
          timeoutMs: UNDO_MS,
          action: {
            label: 'Undo',
            perform: () =>
              void reportFailure(`“${cue.label}” could not be restored`, () => call(restoreCue, { params })),
          },
        });
      }),
    regenerate: () =>
      reportFailure('The cue points were not regenerated', async () => {
        await call(regenerateCues, { params: { id: trackId } });
        await client.invalidateQueries({ queryKey: ['jobs'] });
      }),
  };
}
