import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatLengths, controlIds, controlRange, controlSpecs, deckControls, hotCuePads } from './controls.ts';

test('every control has an address of its own', () => {
  assert.equal(new Set(controlIds).size, controlIds.length);
  assert.ok(controlIds.includes('deck.a.play') && controlIds.includes('mixer.crossfader'));
  assert.ok(controlIds.includes('deck.b.stem.vocals.volume'));
});

test('continuous controls have a range that holds their rest value, buttons and toggles have none', () => {
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

test('each hot cue has a pad and a control that clears it, and loops last 1/32 to 64 beats', () => {
  const pads = Object.keys(deckControls).filter((name) => name.startsWith('hot_cue_'));
  assert.equal(pads.length, 2 * hotCuePads);
  assert.deepEqual([beatLengths[0], beatLengths.at(-1)], [1 / 32, 64]);
});

test('a choice has a name for each of its values', () => {
  for (const id of controlIds) {
    const spec = controlSpecs[id];
    if (spec.kind !== 'continuous' || spec.unit !== 'choice') continue;
    assert.deepEqual([spec.range.min, spec.range.max, spec.range.step], [0, spec.choices.length - 1, 1], id);
  }
});
