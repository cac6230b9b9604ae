import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import { decksPlaying, decksWith, setHoldings } from './deck-holdings.state.ts';
import { requestReload, takeLoadRequests } from './load-request.state.ts';

const one = { id: 'one' } as Track;
const empty = { trackId: null, isPlaying: false };

test('lists the decks that hold a track, and those that play it', () => {
  setHoldings({ a: { trackId: 'one', isPlaying: true }, b: { trackId: 'one', isPlaying: false } });
  assert.deepEqual(decksWith('one'), ['a', 'b']);
  assert.deepEqual(decksPlaying('one'), ['a']);
  setHoldings({ a: empty, b: { trackId: 'two', isPlaying: true } });
  assert.deepEqual([decksWith('one'), decksPlaying('one')], [[], []]);
});

test('requests a restored track on the decks that held it, if they are still empty', () => {
  setHoldings({ a: { trackId: 'two', isPlaying: false }, b: empty });
  requestReload(['a'], one);
  assert.deepEqual(takeLoadRequests(), []);
  requestReload(['a', 'b'], one);
  assert.deepEqual(takeLoadRequests(), [{ deck: 'b', track: one }]);
});

test('requests a restored track on both decks that held it', () => {
  setHoldings({ a: empty, b: empty });
  requestReload(['a', 'b'], one);
  assert.deepEqual(takeLoadRequests(), [
    { deck: 'a', track: one },
    { deck: 'b', track: one },
  ]);
});
