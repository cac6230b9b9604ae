import { trackEntriesPart } from '../tracks/index.ts';
import { listCuesOfTracks } from './cues.store.ts';
import { presentCue } from './present-cues.ts';

/** Cue points in the account export. */
export const cuesPart = trackEntriesPart(
  'cues.json',
  'the cue points of your tracks',
  async ({ db }, tracks) => {
    const ids = tracks.map(({ id }) => id);
    return (await listCuesOfTracks(db, ids)).map((row) => presentCue(row));
  },
);
