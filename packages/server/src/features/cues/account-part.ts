import { trackEntriesPart } from '../tracks/index.ts';
import { listCuesOfTracks } from './cues.store.ts';
import { presentCue } from './present-cues.ts';

/** Part of the account export with the cue points. */
export const cuesPart = trackEntriesPart(
  'cues.json',
  'the cue points of your tracks',
  async ({ db }, tracks) => {
    const ids = tracks.map(({ id }) => id);
    return (await listCuesOfTracks(db, ids)).map((row) => presentCue(row));
  },
);
