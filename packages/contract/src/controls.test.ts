import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatLengths, controlIds, controlRange, controlSpecs, deckControls, hotCuePads } from './controls.ts';

test('gives every control a unique address', () => {
  assert.equal(new Set(controlIds).size, controlIds.length);
  assert.ok(controlIds.includes('deck.a.play') && controlIds.includes('mixer.crossfader'));
  assert.ok(controlIds.includes('deck.b.stem.vocals.volume'));
});

test('gives continuous controls a range that contains their rest value, and buttons and toggles none', () => {
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

test('gives each hot cue a pad and a clear control, and offers loops of 1/32 to 64 beats', () => {
  const pads = Object.keys(deckControls).filter((name) => name.startsWith('hot_cue_'));
  assert.equal(pads.length, 2 * hotCuePads);
  assert.deepEqual([beatLengths[0], beatLengths.at(-1)], [1 / 32, 64]);
});

test('names every value of a choice', () => {
  for (const id of controlIds) {
    const spec = controlSpecs[id];
    if (spec.kind !== 'continuous' || spec.unit !== 'choice') continue;
    assert.deepEqual([spec.range.min, spec.range.max, spec.range.step], [0, spec.choices.length - 1, 1], id);
  }
});
