import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COVER_SIZE, renderCover } from './cover.ts';
import { demoSongs } from './demo-songs.ts';

test('renders each cover as a reproducible, distinct PNG of at least 500 pixels and below 200 kB', () => {
  assert.ok(COVER_SIZE >= 500);
  const covers = demoSongs.map(({ cover }) => renderCover(cover));
  covers.forEach((cover, index) => {
    assert.ok(cover.length > 4000 && cover.length < 200_000, `${cover.length} bytes`);
    assert.deepEqual(cover, renderCover(demoSongs[index]!.cover));
  });
  for (const [index, cover] of covers.entries()) {
    for (const other of covers.slice(index + 1)) assert.notDeepEqual(cover, other);
  }
});
