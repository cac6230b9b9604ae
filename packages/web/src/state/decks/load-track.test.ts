import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { createStore } from 'zustand/vanilla';
import type { Desk } from './control-target.ts';
import type { Decks } from './decks.ts';
import { createDjState } from './dj-state.ts';
import { answerLoad, askLoad, freeDeck } from './load-track.ts';

const one = '0190a0b0-0000-7000-8000-000000000001';
const two = '0190a0b0-0000-7000-8000-000000000002';

function createDesk(): Desk {
  const session = createStore(createDeckSessionState);
  const facts = { now: 0, track: { track_bpm: 120, duration_ms: 200_000, hot_cues: [] } };
  const dispatch = (message: DeckMessage) =>
    session.setState(applyDeckMessage(session.getState(), message, facts), true);
  return { decks: { session, dispatch } as unknown as Decks, state: createDjState() };
}
const trackOn = ({ decks }: Desk, deck: 'a' | 'b') => decks.session.getState().decks[deck].track_id;

test('a track is loaded at once on a deck that does not play, and one that plays is asked about', () => {
  const desk = createDesk();
  askLoad(desk, 'a', one);
  assert.equal(trackOn(desk, 'a'), one);
  desk.decks.dispatch({ event: 'play', deck: 'a' });
  askLoad(desk, 'a', two);
  assert.equal(trackOn(desk, 'a'), one);
  answerLoad(desk, false);
  assert.equal(desk.state.getState().loadQuestion, null);
  assert.equal(trackOn(desk, 'a'), one);
  askLoad(desk, 'a', two);
  answerLoad(desk, true);
  assert.equal(trackOn(desk, 'a'), two);
  assert.equal(desk.decks.session.getState().decks.a.is_playing, false);
});

test('a track for no deck in particular goes to an empty one, then to the one that does not play', () => {
  const desk = createDesk();
  const free = () => freeDeck(desk.decks.session.getState());
  assert.equal(free(), 'a');
  askLoad(desk, 'a', one);
  assert.equal(free(), 'b');
  askLoad(desk, 'b', two);
  assert.equal(free(), 'b');
  desk.decks.dispatch({ event: 'play', deck: 'b' });
  assert.equal(free(), 'a');
});
