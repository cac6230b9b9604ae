import type { Track } from '@stem-studio/contract/resources/track';
import type { AccountPart } from '../../platform/account-part.ts';
import type { Context } from '../../platform/context.ts';
import { allTracksOf } from './all-tracks.ts';

/**
 * Returns a part of the account export with entries for each of the user's tracks. It is one JSON array with one entry
 * per line. Tracks are read in groups, so that memory is bounded.
 *
 * @param entriesOf entries of a group of tracks, which is never empty
 * @param otherEntries entries without a track, which follow the others
 */
export function trackEntriesPart(
  name: string,
  about: string,
  entriesOf: (context: Context, tracks: readonly Track[], studioUrl: string) => Promise<readonly unknown[]>,
  otherEntries: (context: Context, userId: number) => Promise<readonly unknown[]> = () => Promise.resolve([]),
): AccountPart {
  return {
    name,
    about,
    async *files(context, { userId, studioUrl }) {
      const entries = (tracks: readonly Track[]) => entriesOf(context, tracks, studioUrl);
      const others = () => otherEntries(context, userId);
      yield { name, modified: context.clock.now(), bytes: jsonLines(context, userId, entries, others) };
    },
  };
}

async function* jsonLines(
  context: Context,
  userId: number,
  entriesOf: (tracks: readonly Track[]) => Promise<readonly unknown[]>,
  otherEntries: () => Promise<readonly unknown[]>,
): AsyncGenerator<Uint8Array> {
  let before = '[\n';
  const lines = (entries: readonly unknown[]) => {
    let text = '';
    for (const entry of entries) {
      text += before + JSON.stringify(entry);
      before = ',\n';
    }
    return Buffer.from(text);
  };
  for await (const tracks of allTracksOf(context, userId)) {
    if (tracks.length > 0) yield lines(await entriesOf(tracks));
  }
  yield lines(await otherEntries());
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n');
}

/** The tracks of the account export, with links to their audio. */
export const tracksPart = trackEntriesPart(
  'tracks.json',
  'your tracks; "link" leads to the audio',
  (_context, tracks, studioUrl) =>
    Promise.resolve(
      tracks.map((track) => ({
        ...track,
        link: track.audio && `${studioUrl}/files/${track.audio.file_path}`,
      })),
    ),
);
