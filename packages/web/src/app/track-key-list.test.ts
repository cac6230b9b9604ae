import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridActionOf } from '../panels/grid/grid-keys.ts';
import { actionOfKey } from '../panels/track/player-keys.ts';
import type { KeyPress } from '../ui/key-press.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

test('no key acts on both the grid and the player', () => {
  for (const key of ['t', 'd', 'b', ',', '.', '[', ']', '-', '+', '=']) {
    assert.ok(gridActionOf(press(key)), key);
    assert.equal(actionOfKey(press(key), 0), null, key);
  }
});
