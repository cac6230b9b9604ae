import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localId, localLink } from '../../features/catalog/local-id.ts';
import { testFlac, testWav } from '../test-audio.ts';

/** Songs that a load adds to libraries. */
export interface TestSongs {
  /** Returns a WAV file of one second with different bytes for each number. */
  upload(number: number): Uint8Array;
  /** Links of tracks in the catalog folder, each with its catalog id. */
  readonly catalogTracks: readonly { readonly id: string; readonly link: string }[];
  /** Link of a playlist of some of these tracks, with their catalog ids. */
  readonly playlist: { readonly link: string; readonly ids: readonly string[] };
}

const catalogSize = 12;
const playlistSize = 4;
const headerBytes = 44;

/** Returns a copy of a file with a number in its first samples, so that its bytes are unique. */
function numbered(file: Uint8Array, number: number): Uint8Array {
  const copy = Buffer.from(file);
  copy.writeUInt32LE(number, headerBytes);
  return copy;
}

/** Creates songs, and a catalog folder of short ones. */
export async function makeTestSongs(catalogFolder: string): Promise<TestSongs> {
  await mkdir(catalogFolder, { recursive: true });
  const [wav, short, flac] = await Promise.all([
    testWav({ seconds: 1 }),
    testWav({ seconds: 0.6 }),
    testFlac({ seconds: 0.7 }),
  ]);
  const names = Array.from({ length: catalogSize }, (_, at) => `Song ${at}.${at % 3 === 0 ? 'flac' : 'wav'}`);
  for (const [at, name] of names.entries())
    await writeFile(join(catalogFolder, name), name.endsWith('flac') ? flac : numbered(short, at + 1));
  const listed = names.slice(0, playlistSize);
  await writeFile(join(catalogFolder, 'list.m3u8'), `#EXTM3U\n${listed.join('\n')}\n`);
  const idOf = (name: string) => localId('track', name);
  return {
    upload: (number) => numbered(wav, number),
    catalogTracks: names.map((name) => ({ id: idOf(name), link: localLink('track', idOf(name)) })),
    playlist: { link: localLink('playlist', localId('playlist', 'list.m3u8')), ids: listed.map(idOf) },
  };
}
