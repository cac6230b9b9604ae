import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import { decksPlaying, decksWith, setHoldings } from './deck-holdings.state.ts';
import { takeLoadWish, wishBack } from './load-request.state.ts';

const one = { id: 'one' } as Track;
const empty = { trackId: null, isPlaying: false };

test('a track is on the decks that hold it, and plays on those of them that play', () => {
  setHoldings({ a: { trackId: 'one', isPlaying: true }, b: { trackId: 'one', isPlaying: false } });
  assert.deepEqual(decksWith('one'), ['a', 'b']);
  assert.deepEqual(decksPlaying('one'), ['a']);
  setHoldings({ a: empty, b: { trackId: 'two', isPlaying: true } });
  assert.deepEqual([decksWith('one'), decksPlaying('one')], [[], []]);
});

test('a track that is brought back is wished on the decks that it was on, where nothing else is by now', () => {
  setHoldings({ a: { trackId: 'two', isPlaying: false }, b: empty });
  wishBack(['a'], one);
  assert.equal(takeLoadWish(), null);
  wishBack(['a', 'b'], one);
  assert.deepEqual(takeLoadWish(), { deck: 'b', track: one });
});
