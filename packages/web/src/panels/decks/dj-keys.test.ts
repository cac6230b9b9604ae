import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlIds } from '@stem-studio/contract/controls';
import { type DjKeyPress, djActionOfKey } from './dj-keys.ts';

const press = (key: string, held: Partial<DjKeyPress> = {}): DjKeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});
const controlOf = (key: string, active: 'a' | 'b', held: Partial<DjKeyPress> = {}) => {
  const action = djActionOfKey(press(key, held), active);
  return action && 'control' in action ? action.control : null;
};

test('the keys of the specification act on the active deck', () => {
  for (const active of ['a', 'b'] as const) {
    assert.equal(controlOf(' ', active), `deck.${active}.play`);
    assert.equal(controlOf('q', active), `deck.${active}.set_cue`);
    assert.equal(controlOf('w', active), `deck.${active}.jump_to_cue`);
    assert.equal(controlOf('1', active), 'mixer.deck_a');
    assert.equal(controlOf('2', active), 'mixer.deck_b');
  }
  assert.deepEqual(djActionOfKey(press('a'), 'a'), { do: 'move', control: 'mixer.crossfader', by: -0.1 });
  assert.deepEqual(djActionOfKey(press('s'), 'a'), { do: 'move', control: 'mixer.crossfader', by: 0.1 });
});

test('eight keys in a row press the hot cues, and clear them with Shift', () => {
  const row = 'zxcvbnm,'.split('');
  assert.deepEqual(
    row.map((key) => controlOf(key, 'b')),
    row.map((_, slot) => `deck.b.hot_cue_${slot + 1}`),
  );
  assert.equal(controlOf('Z', 'b', { shiftKey: true }), 'deck.b.hot_cue_1_clear');
  assert.equal(controlOf('<', 'b', { shiftKey: true }), 'deck.b.hot_cue_8_clear');
});

test('eight digits press the pads of the sampler, and Shift + P switches the microphone', () => {
  const row = '34567890'.split('');
  assert.deepEqual(
    row.map((key) => controlOf(key, 'b')),
    row.map((_, pad) => `sampler.${pad + 1}.trigger`),
  );
  assert.equal(controlOf('P', 'a', { shiftKey: true }), 'mixer.microphone');
  assert.equal(controlOf('p', 'a'), 'mixer.effect.on');
});

test('nudges, rolls, hot cues and pads are held, all others are pressed once', () => {
  for (const key of ['d', 'f', 'r', 'z', ',', '3']) {
    const action = djActionOfKey(press(key), 'a');
    assert.equal(action?.do === 'press' && action.isHeld, true, key);
  }
  for (const action of [djActionOfKey(press('e'), 'a'), djActionOfKey(press('Z', { shiftKey: true }), 'a')])
    assert.equal(action?.do === 'press' && action.isHeld, false);
});

test('capital letters are the same keys, and shortcuts of the browser are ignored', () => {
  assert.equal(controlOf('Q', 'a'), 'deck.a.set_cue');
  assert.equal(djActionOfKey(press('r', { ctrlKey: true }), 'a'), null);
  assert.equal(djActionOfKey(press('w', { metaKey: true }), 'a'), null);
  assert.equal(djActionOfKey(press('Tab'), 'a'), null);
});

test('keys switch the effects and turn their macros', () => {
  assert.equal(controlOf('j', 'b'), 'deck.b.effect_1.on');
  assert.equal(controlOf('J', 'a', { shiftKey: true }), 'deck.a.effect_2.on');
  assert.equal(controlOf('p', 'a'), 'mixer.effect.on');
  const move = (key: string) => djActionOfKey(press(key), 'a');
  assert.deepEqual(move(';'), { do: 'move', control: 'deck.a.effect_1.macro', by: -0.1 });
  assert.deepEqual(move('"'), { do: 'move', control: 'deck.a.effect_2.macro', by: 0.1 });
});

test('every key refers to an existing control', () => {
  const known = new Set<string>(controlIds);
  const keys = [...' 12qweasdfrioklzxcvbnm,[]tyuhg-=+'.split(''), 'ArrowLeft', 'ArrowRight'];
  for (const key of keys) assert.equal(known.has(controlOf(key, 'a') ?? ''), true, key);
  assert.deepEqual(djActionOfKey(press('?', { shiftKey: true }), 'a'), { do: 'list-keys' });
});

test('a full stop brakes the active deck while held, and spins it back with Shift', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  const actionOf = (key: string, shiftKey: boolean) => djActionOfKey({ key, shiftKey, ...plain }, 'b');
  const held = (control: 'deck.b.brake' | 'deck.b.spin_back') => ({ do: 'press', control, isHeld: true });
  assert.deepEqual(actionOf('.', false), held('deck.b.brake'));
  assert.deepEqual(actionOf('.', true), held('deck.b.spin_back'));
  assert.deepEqual(actionOf('>', true), held('deck.b.spin_back'));
});
