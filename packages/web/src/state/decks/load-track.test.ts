import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { createStore } from 'zustand/vanilla';
import type { ControlTarget } from './control-target.ts';
import type { Decks } from './decks.ts';
import { createDjState } from './dj-state.ts';
import { freeDeck, requestLoad, resolveLoad } from './load-track.ts';

const one = '0190a0b0-0000-7000-8000-000000000001';
const two = '0190a0b0-0000-7000-8000-000000000002';

function createTarget(): ControlTarget {
  const session = createStore(createDeckSessionState);
  const facts = { now: 0, track: { track_bpm: 120, duration_ms: 200_000, hot_cues: [] } };
  const dispatch = (message: DeckMessage) =>
    session.setState(applyDeckMessage(session.getState(), message, facts), true);
  return { decks: { session, dispatch } as unknown as Decks, state: createDjState() };
}
const trackOn = ({ decks }: ControlTarget, deck: 'a' | 'b') => decks.session.getState().decks[deck].track_id;

test('a track is loaded at once on a stopped deck, and after confirmation on a playing one', () => {
  const target = createTarget();
  requestLoad(target, 'a', one);
  assert.equal(trackOn(target, 'a'), one);
  target.decks.dispatch({ event: 'play', deck: 'a' });
  requestLoad(target, 'a', two);
  assert.equal(trackOn(target, 'a'), one);
  resolveLoad(target, false);
  assert.equal(target.state.getState().pendingLoad, null);
  assert.equal(trackOn(target, 'a'), one);
  requestLoad(target, 'a', two);
  resolveLoad(target, true);
  assert.equal(trackOn(target, 'a'), two);
  assert.equal(target.decks.session.getState().decks.a.is_playing, false);
});

test('a track without a named deck goes to an empty one, then to a stopped one', () => {
  const target = createTarget();
  const free = () => freeDeck(target.decks.session.getState());
  assert.equal(free(), 'a');
  requestLoad(target, 'a', one);
  assert.equal(free(), 'b');
  requestLoad(target, 'b', two);
  assert.equal(free(), 'b');
  target.decks.dispatch({ event: 'play', deck: 'b' });
  assert.equal(free(), 'a');
});
