import type { Track } from '@stem-studio/contract/resources/track';
import type { AccountPart } from '../../platform/account-part.ts';
import type { Context } from '../../platform/context.ts';
import { allTracksOf } from './all-tracks.ts';

/**
 * Returns a part of the account export that is one JSON array with entries for each of the user's tracks, one per line.
 * Tracks are read in groups, so that memory is bounded however many there are.
 *
 * @param entriesOf entries of a group of tracks, which is never empty
 */
export function trackEntriesPart(
  name: string,
  about: string,
  entriesOf: (context: Context, tracks: readonly Track[], studioUrl: string) => Promise<readonly unknown[]>,
): AccountPart {
  return {
    name,
    about,
    async *files(context, { userId, studioUrl }) {
      const entries = (tracks: readonly Track[]) => entriesOf(context, tracks, studioUrl);
      yield { name, modified: context.clock.now(), bytes: jsonLines(context, userId, entries) };
    },
  };
}

async function* jsonLines(
  context: Context,
  userId: number,
  entriesOf: (tracks: readonly Track[]) => Promise<readonly unknown[]>,
): AsyncGenerator<Uint8Array> {
  let before = '[\n';
  for await (const tracks of allTracksOf(context, userId)) {
    if (tracks.length === 0) continue;
    let text = '';
    for (const entry of await entriesOf(tracks)) {
      text += before + JSON.stringify(entry);
      before = ',\n';
    }
    if (text !== '') yield Buffer.from(text);
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n');
}

/** The tracks of the account export, with links to their audio. */
export const tracksPart = trackEntriesPart(
  'tracks.json',
  'your tracks; "link" leads to the sound',
  (_context, tracks, studioUrl) =>
    Promise.resolve(
      tracks.map((track) => ({
        ...track,
        link: track.audio && `${studioUrl}/files/${track.audio.file_path}`,
      })),
    ),
);
