import { deleteNotes, transcribe } from '@stem-studio/contract/endpoints/notes';
import type { Transcription } from '@stem-studio/contract/resources/notes';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sourceName } from '../../base/note-text.ts';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { toastError } from '../../state/toasts.state.ts';

/** What can be done for the notes of a track. Failures are told in a toast. */
export interface NoteActions {
  /** Makes notes of a stem, or of the whole song with null; the job tells how far it is. */
  make(stemId: string | null): Promise<void>;
  remove(found: Transcription): Promise<void>;
}

/** The actions on the notes of a track, bound to the page's query cache. */
export function useNoteActions(trackId: string): NoteActions {
  const client = useQueryClient();
  return useMemo(() => noteActions(client, trackId), [client, trackId]);
}

function noteActions(client: QueryClient, trackId: string): NoteActions {
  const told = async (what: string, action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (error) {
      toastError(what, errorText(error));
    }
  };
  return {
    make: (stem_id) =>
      told('No notes are made', async () => {
        await call(transcribe, { body: { track_id: trackId, stem_id } });
        await client.invalidateQueries({ queryKey: ['jobs'] });
      }),
    remove: (found) =>
      told(`The notes of “${sourceName(found.source)}” were not deleted`, async () => {
        await call(deleteNotes, { params: { id: found.id } });
        await client.invalidateQueries({ queryKey: ['notes', trackId] });
      }),
  };
}
