import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { createStore } from 'zustand/vanilla';
import { createQueryClient } from '../../client/queries.ts';
import { followGrids } from './follow-grids.ts';

const ONE = '0190a0b0-0000-7000-8000-000000000001';
const TWO = '0190a0b0-0000-7000-8000-000000000002';
const arrived = () => new Promise((resolve) => setTimeout(resolve));

test('a deck reloads its grid after edits of its own track, for as long as the track is loaded', async () => {
  const client = createQueryClient();
  const edit = (id: string, tempo: number) => client.setQueryData(['grid', id], { tempo, beats: [] });
  for (const id of [ONE, TWO]) edit(id, 120);
  const session = createStore(createDeckSessionState);
  const facts = { now: 0, track: { track_bpm: 120, duration_ms: 200_000, hot_cues: [] } };
  const load = (deck: DeckId, track_id: string | null) =>
    session.setState(
      applyDeckMessage(session.getState(), { event: 'load_track', deck, track_id }, facts),
      true,
    );
  const reloaded: DeckId[] = [];
  const scope = new Scope();
  load('a', ONE);
  followGrids(scope, { session, reloadGrid: (deck) => void reloaded.push(deck) }, client);
  load('b', TWO);
  await arrived();
  assert.deepEqual(reloaded, []);

  edit(ONE, 60);
  await arrived();
  edit(TWO, 90);
  await arrived();
  edit(TWO, 90);
  await arrived();
  assert.deepEqual(reloaded, ['a', 'b']);

  load('a', null);
  edit(ONE, 120);
  scope.dispose();
  edit(TWO, 120);
  await arrived();
  assert.deepEqual(reloaded, ['a', 'b']);
  const observers = client
    .getQueryCache()
    .getAll()
    .map((query) => query.getObserversCount());
  assert.deepEqual(observers, [0, 0]);
  client.clear();
});
