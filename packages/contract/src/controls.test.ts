import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatLengths, controlIds, controlRange, deckPresses, hotCuePads } from './controls.ts';

test('every control has one address, and no two the same', () => {
  assert.equal(new Set(controlIds).size, controlIds.length);
  assert.ok(controlIds.includes('deck.a.play') && controlIds.includes('mixer.crossfader'));
  assert.ok(controlIds.includes('deck.b.stem.vocals.volume'));
});

test('what is turned has a range that holds its rest, and what is pressed has none', () => {
  for (const id of controlIds) {
    const range = controlRange(id);
    if (range) assert.ok(range.min <= range.rest && range.rest <= range.max && range.step > 0, id);
  }
  assert.equal(controlRange('deck.a.play'), null);
  assert.equal(controlRange('deck.a.stem.drums.mute'), null);
  assert.equal(controlRange('mixer.record'), null);
  assert.deepEqual(controlRange('deck.b.stem.drums.volume'), { min: 0, max: 1, rest: 1, step: 0.05 });
  assert.equal(controlRange('deck.a.gain')?.max, 12);
});

test('each pad can be pressed and cleared, and loops go from a thirty-second of a beat to sixty-four', () => {
  const pads = deckPresses.filter((name) => name.startsWith('hot_cue_'));
  assert.equal(pads.length, 2 * hotCuePads);
  assert.deepEqual([beatLengths[0], beatLengths.at(-1)], [1 / 32, 64]);
});
