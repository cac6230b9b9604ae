import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  draggedBy,
  knobPositionOf,
  type SliderRange,
  travelOf,
  valueAfterKey,
  wheeled,
  withinRange,
} from './slider-range.ts';

const knob: SliderRange = { min: -1, max: 1, rest: 0, step: 0.05 };

test('covers the whole travel with a full drag, and a tenth of it with Shift', () => {
  assert.equal(draggedBy(-1, 1, knob, false), 1);
  assert.equal(draggedBy(0, 0.5, knob, true), 0.1);
  assert.equal(draggedBy(0.9, 1, knob, false), 1);
});

test('changes by a step per wheel notch, upwards to increase, and ignores empty wheel events', () => {
  assert.equal(wheeled(0, -120, knob, false), 0.05);
  assert.equal(wheeled(0, 3, knob, true), -0.005);
  assert.equal(wheeled(0.3, 0, knob, false), 0.3);
});

test('moves one step with arrows, five with Page keys, to the ends with Home and End', () => {
  assert.equal(valueAfterKey('ArrowUp', 0, knob, false), 0.05);
  assert.equal(valueAfterKey('ArrowLeft', 0, knob, true), -0.005);
  assert.equal(valueAfterKey('PageDown', 0, knob, false), -0.25);
  assert.equal(valueAfterKey('Home', 0.4, knob, false), -1);
  assert.equal(valueAfterKey('End', 0.4, knob, false), 1);
  assert.equal(valueAfterKey('q', 0, knob, false), null);
});

test('returns to the start after twenty steps up and twenty down', () => {
  let value = 0;
  for (let step = 0; step < 20; step++) value = valueAfterKey('ArrowUp', value, knob, false) ?? Number.NaN;
  assert.equal(value, 1);
  for (let step = 0; step < 20; step++) value = valueAfterKey('ArrowDown', value, knob, false) ?? Number.NaN;
  assert.equal(value, 0);
});

test('maps the start of a range to 0 and its end to 1', () => {
  assert.deepEqual([travelOf(-1, knob), travelOf(0, knob), travelOf(2, knob)], [0, 0.5, 1]);
  assert.equal(travelOf(3, { min: 3, max: 3, rest: 3, step: 1 }), 0);
  assert.equal(withinRange(7, knob), 1);
});

test('points a knob with an asymmetric range upwards at 0', () => {
  const gain: SliderRange = { min: -24, max: 12, rest: 0, step: 0.5 };
  assert.deepEqual(
    [-24, -12, 0, 6, 12].map((db) => knobPositionOf(db, gain)),
    [-1, -0.5, 0, 0.5, 1],
  );
  assert.equal(knobPositionOf(0, { min: 0, max: 1, rest: 0.7, step: 0.05 }), -1);
});
