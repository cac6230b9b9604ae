import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localId } from '../local-id.ts';
import { type AlbumFile, regroupCompilations } from './compilations.ts';

const file = (path: string, artist: string, album: string, albumArtist = artist): AlbumFile => ({
  path,
  artist,
  album,
  album_id: localId('album', `${albumArtist}\0${album}`),
});

/** Returns the files with their new album ids. */
function regrouped(files: readonly AlbumFile[]): AlbumFile[] {
  const changed = regroupCompilations(files);
  return files.map((one) => ({ ...one, album_id: changed.get(one.path) ?? one.album_id }));
}
const albumCount = (files: readonly AlbumFile[]) => new Set(files.map(({ album_id }) => album_id)).size;

test('a folder with one album and several artists is one album, over folders of its discs', () => {
  const files = [
    file('Hits/CD1/a.wav', 'Ebb', 'Hits'),
    file('Hits/CD1/b.wav', 'Flow', 'Hits'),
    file('Hits/CD 2/c.wav', 'Tide', 'Hits'),
  ];
  const once = regrouped(files);
  assert.equal(albumCount(once), 1);
  // The second time nothing changes.
  assert.deepEqual([...regroupCompilations(once)], []);
});

test('a compilation whose other artists are gone is the album of its artist again', () => {
  const [first] = regrouped([file('Hits/a.wav', 'Ebb', 'Hits'), file('Hits/b.wav', 'Flow', 'Hits')]);
  assert.ok(first);
  assert.deepEqual([...regroupCompilations([first])], [['Hits/a.wav', localId('album', 'Ebb\0Hits')]]);
});

test('folders of several albums, the catalog folder and files with an album artist are left as they are', () => {
  for (const files of [
    [
      file('Mixed/a.wav', 'Ebb', 'Best of'),
      file('Mixed/b.wav', 'Flow', 'Best of'),
      file('Mixed/c.wav', 'Flow', 'Two'),
    ],
    [file('a.wav', 'Ebb', 'Best of'), file('b.wav', 'Flow', 'Best of')],
    [file('VA/a.wav', 'Ebb', 'Sun', 'Various Artists'), file('VA/b.wav', 'Flow', 'Sun', 'Various Artists')],
    [file('Moon/a.wav', 'Ebb', 'Moon'), file('Moon/b.wav', 'Ebb', 'Moon')],
  ])
    assert.deepEqual([...regroupCompilations(files)], []);
});
