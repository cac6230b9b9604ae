import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import { emptyLocalDeck, type LocalDeck } from '@stem-studio/audio/deck/local-deck';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import { createStore } from 'zustand/vanilla';
import { endings } from './deck-endings.ts';
import { followEndings } from './follow-endings.ts';

test('the end of a deck is announced with the remaining time, unless the deck loops or is stopped', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const session = createStore(createDeckSessionState);
  const local = createStore<Record<DeckId, LocalDeck>>(() => ({ a: emptyLocalDeck, b: emptyLocalDeck }));
  let position = 175.5;
  const scope = new Scope();
  followEndings(scope, { session, local, positionSeconds: () => position });
  const setDeck = (changes: Partial<DeckState>) =>
    session.setState(({ decks }) => ({ decks: { ...decks, b: { ...decks.b, ...changes } } }));
  const ending = () => endings.getState().b;

  setDeck({ is_playing: true, duration_ms: 200_000 });
  assert.deepEqual(ending(), { isNear: false, secondsLeft: null });
  local.setState({ b: { ...emptyLocalDeck, isEnding: true } });
  assert.deepEqual(ending(), { isNear: true, secondsLeft: 25 });
  let changes = 0;
  const forget = endings.subscribe(() => changes++);
  t.after(forget);
  position = 176;
  t.mock.timers.tick(1000);
  assert.deepEqual(
    [ending().secondsLeft, changes],
    [24, 1],
    'reported when it changes, not at every interval',
  );
  setDeck({ loop: { start_ms: 170_000, end_ms: 180_000, active: true } });
  assert.deepEqual(
    ending(),
    { isNear: true, secondsLeft: null },
    'it comes to no end, and is not announced anew',
  );
  setDeck({ loop: null, tempo_percent: 100 });
  assert.deepEqual(ending(), { isNear: true, secondsLeft: 12 }, 'in seconds of playing time');
  setDeck({ is_playing: false });
  assert.equal(ending().secondsLeft, null);
  assert.equal(endings.getState().a.isNear, false);
  scope.dispose();
  assert.deepEqual([ending().isNear, scope.size], [false, 0]);
});
