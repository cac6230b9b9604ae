import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import { createStore } from 'zustand/vanilla';
import { confirmLeaving } from './confirm-leaving.ts';
import type { EngineStatus } from './dj-engine.ts';
import { createDjState } from './dj-state.ts';

function openPage() {
  const page = new EventTarget();
  Object.defineProperty(globalThis, 'window', { value: page, configurable: true, writable: true });
  const session = createStore(createDeckSessionState);
  const status = createStore(() => ({ isSounding: true }) as EngineStatus);
  const state = createDjState();
  const scope = new Scope();
  confirmLeaving(scope, { decks: { session }, status, state });
  const play = (isPlaying: boolean) =>
    session.setState(({ decks }) => ({ decks: { ...decks, b: { ...decks.b, is_playing: isPlaying } } }));
  const isAsked = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  return { status, state, scope, play, isAsked };
}

test('leaving is confirmed only while a deck plays audio in this window', () => {
  const { status, scope, play, isAsked } = openPage();
  assert.equal(isAsked(), false);
  const held = scope.size;
  play(true);
  assert.equal(isAsked(), true);
  status.setState({ isSounding: false });
  assert.equal(isAsked(), false, 'the sound of another window goes on');
  status.setState({ isSounding: true });
  assert.equal(isAsked(), true);
  play(false);
  assert.equal(isAsked(), false);
  assert.equal(scope.size, held, 'nothing listens any more: the browser may keep the page for the way back');
  play(true);
  scope.dispose();
  assert.equal(isAsked(), false);
});

test('leaving is confirmed until recordings are saved', () => {
  const { state, isAsked } = openPage();
  for (const recording of ['on', 'saving'] as const) {
    state.setState({ recording });
    assert.equal(isAsked(), true, recording);
  }
  const one = { number: 1, address: 'blob:one', bytes: 5, seconds: 1, isSaved: false };
  const two = { ...one, number: 2, isSaved: true };
  state.setState({ recording: 'off', recordings: [one, two] });
  assert.equal(isAsked(), true, 'offered, and not taken yet');
  state.setState({ recordings: [{ ...one, isSaved: true }, two] });
  assert.equal(isAsked(), false);
});
