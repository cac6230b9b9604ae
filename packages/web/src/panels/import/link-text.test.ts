import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLink } from './link-text.ts';

test('tells links from searches', () => {
  for (const link of [
    'https://www.example.com/watch?v=1',
    'HTTP://example.com',
    'open.example.com/album/4aawyAB9vmqN3uQ7FjRGTy',
    'catalog:album:oPq_-1',
    'spotify:user:someone:playlist:37i9dQZF1DXcBWIGoYBM5M',
  ])
    assert.equal(isLink(link), true, link);
  for (const search of ['AC/DC', 'bpm:124', 'artist:"The Foresters"', 'N.W.A', '~key:8A bpm:120-128', ''])
    assert.equal(isLink(search), false, search);
});
