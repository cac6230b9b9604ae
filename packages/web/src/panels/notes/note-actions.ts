import { deleteNotes, transcribe } from '@stem-studio/contract/endpoints/notes';
import type { Transcription } from '@stem-studio/contract/resources/notes';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sourceName } from '../../base/note-text.ts';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { toastError } from '../../state/toasts.state.ts';

/** Actions on the transcriptions of a track. Failures are shown as a toast. */
export interface NoteActions {
  /** Starts a job that transcribes a stem, or the whole song for null. */
  make(stemId: string | null): Promise<void>;
  remove(found: Transcription): Promise<void>;
}

/** Returns the actions, bound to the query cache. */
export function useNoteActions(trackId: string): NoteActions {
  const client = useQueryClient();
  return useMemo(() => noteActions(client, trackId), [client, trackId]);
}

function noteActions(client: QueryClient, trackId: string): NoteActions {
  const reportFailure = async (failure: string, action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (error) {
      toastError(failure, errorText(error));
    }
  };
  return {
    make: (stem_id) =>
      reportFailure('Transcription was not started', async () => {
        await call(transcribe, { body: { track_id: trackId, stem_id } });
        await client.invalidateQueries({ queryKey: ['jobs'] });
      }),
    remove: (found) =>
      reportFailure(`The notes of “${sourceName(found.source)}” were not deleted`, async () => {
        await call(deleteNotes, { params: { id: found.id } });
        await client.invalidateQueries({ queryKey: ['notes', trackId] });
      }),
  };
}
