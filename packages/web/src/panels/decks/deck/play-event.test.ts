import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import type { Control } from '../../../state/controls/control.ts';
import { listenForPlay } from './play-event.ts';

test('dj:play on the element of a deck plays and pauses it, until the deck is removed', () => {
  let isPlaying = false;
  const play: Control = {
    kind: 'toggle',
    unit: 'ratio',
    range: { min: 0, max: 1, rest: 0, step: 1 },
    read: () => Number(isPlaying),
    set: (value) => void (isPlaying = value > 0),
    subscribe: () => () => undefined,
    travel: () => ({ min: 0, max: 1 }),
    position: () => Number(isPlaying),
    setPosition: () => undefined,
  };
  const element = new EventTarget();
  const scope = new Scope();
  listenForPlay(scope, element, play);
  element.dispatchEvent(new Event('dj:play'));
  assert.equal(isPlaying, true);
  element.dispatchEvent(new Event('dj:play'));
  assert.equal(isPlaying, false);
  scope.dispose();
  element.dispatchEvent(new Event('dj:play'));
  assert.equal(isPlaying, false);
});
