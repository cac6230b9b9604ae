import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteOfLink } from './other-sites.ts';

test('names the site of a link, also by its subdomains and without a scheme', () => {
  for (const [link, name] of [
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'YouTube'],
    ['youtu.be/dQw4w9WgXcQ', 'YouTube'],
    ['https://m.youtube.com/watch?v=1', 'YouTube'],
    ['https://somebody.bandcamp.com/album/one', 'Bandcamp'],
    ['https://music.apple.com/de/album/1', 'Apple Music'],
    ['https://music.example.org/1', 'music.example.org'],
  ] as const)
    assert.equal(siteOfLink(link), name, link);
  for (const text of ['', 'a song', 'catalog:album:1', 'https://', 'AC/DC'])
    assert.equal(siteOfLink(text), null, text);
});
