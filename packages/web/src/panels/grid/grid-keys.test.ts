import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyPress } from '../../ui/key-press.ts';
import { gridActionOf } from './grid-keys.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

test('shifts by a millisecond with comma and full stop, by ten with Shift, on every keyboard layout', () => {
  for (const [key, ms] of [
    [',', -1],
    ['.', 1],
  ] as const)
    assert.deepEqual(gridActionOf(press(key)), { do: 'nudge', ms });
  for (const [key, ms] of [
    ['<', -10],
    [';', -10],
    ['>', 10],
    [':', 10],
  ] as const) {
    assert.deepEqual(gridActionOf(press(key, { shiftKey: true })), { do: 'nudge', ms }, key);
    assert.equal(gridActionOf(press(key)), null, `${key} alone is another key`);
  }
});

test('shifts by half a beat with brackets, halves and doubles with minus and plus', () => {
  assert.deepEqual(gridActionOf(press('[')), { do: 'edit', edit: { edit: 'shift_beats', beats: -0.5 } });
  assert.deepEqual(gridActionOf(press(']')), { do: 'edit', edit: { edit: 'shift_beats', beats: 0.5 } });
  assert.deepEqual(gridActionOf(press('-')), { do: 'edit', edit: { edit: 'multiply', factor: '1/2' } });
  for (const key of ['+', '='])
    assert.deepEqual(gridActionOf(press(key)), { do: 'edit', edit: { edit: 'multiply', factor: '2' } });
});

test('undoes with Ctrl Z and redoes with Shift on every system', () => {
  for (const system of [{ ctrlKey: true }, { metaKey: true }]) {
    assert.deepEqual(gridActionOf(press('z', system)), { do: 'edit', edit: { edit: 'undo' } });
    assert.deepEqual(gridActionOf(press('Z', { ...system, shiftKey: true })), {
      do: 'edit',
      edit: { edit: 'redo' },
    });
    assert.equal(gridActionOf(press('t', system)), null, 'what belongs to the browser is left to it');
  }
});
