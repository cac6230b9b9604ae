import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlaylist, resolveEntry } from './parse-playlist.ts';

test('parses the title and the entries of a playlist in order, with their stated titles', () => {
  const text =
    '\uFEFF#EXTM3U\r\n#PLAYLIST: Late set \r\n#EXTINF:201,Someone - Song\r\nsub\\song.mp3\r\n\r\nother.flac\n#EXTVLCOPT:x\n';
  assert.deepEqual(parsePlaylist(text), {
    title: 'Late set',
    entries: [
      { path: 'sub/song.mp3', title: 'Someone - Song' },
      { path: 'other.flac', title: 'other.flac' },
    ],
  });
});

test('resolves an entry relative to its playlist and never outside the catalog folder', () => {
  assert.equal(resolveEntry('lists/a.m3u8', '../music/x.mp3'), 'music/x.mp3');
  assert.equal(resolveEntry('a.m3u8', './music//x.mp3'), 'music/x.mp3');
  for (const outside of [
    '../x.mp3',
    '/etc/passwd',
    'https://example.org/x.mp3',
    'a/../../x.mp3',
    'C:/x.mp3',
    '.',
  ]) {
    assert.equal(resolveEntry('a.m3u8', outside), null, outside);
  }
});
