import { type AccountPart, jsonFile } from '../../platform/account-part.ts';
import { allTracksOf } from '../tracks/index.ts';
import { presentTranscription } from './notes.service.ts';
import { findTranscription, listNotesOf } from './notes.store.ts';

/** Part of the account export with the transcribed notes. */
export const notesPart: AccountPart = {
  name: 'notes/',
  about: 'transcribed notes, by track and stem; "mix" is the whole song',
  async *files(context, { userId }) {
    for await (const tracks of allTracksOf(context, userId)) {
      const ids = tracks.map(({ id }) => id);
      for (const { id, track_id, source, created_at } of await listNotesOf(context.db, ids)) {
        const row = await findTranscription(context.db, id);
        // A newer transcription may have replaced it meanwhile.
        if (row) yield jsonFile(`notes/${track_id}/${source}.json`, created_at, presentTranscription(row));
      }
    }
  },
};
