import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import { requestLoad, takeLoadRequests } from './load-request.state.ts';
import { parseRoute, route } from './route.state.ts';

const [one, two, three] = ['one', 'two', 'three'].map((id) => ({ id }) as Track) as [Track, Track, Track];

// On the DJ tab already, so that a request does not change the browser's history.
route.setState(parseRoute('?tab=dj'));

test('returns a load request once', () => {
  requestLoad('a', one);
  assert.deepEqual(takeLoadRequests(), [{ deck: 'a', track: one }]);
  assert.deepEqual(takeLoadRequests(), []);
});

test('keeps a request of each deck until the decks are open, the newest of a deck', () => {
  requestLoad('a', one);
  requestLoad('b', two);
  requestLoad('a', three);
  assert.deepEqual(takeLoadRequests(), [
    { deck: 'b', track: two },
    { deck: 'a', track: three },
  ]);
});
