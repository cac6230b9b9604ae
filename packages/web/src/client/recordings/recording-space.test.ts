import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spaceText } from './recording-space.ts';

test('states how much longer can be recorded', () => {
  const minute = 60 * 44_100 * 6;
  assert.equal(spaceText(0), '');
  assert.equal(spaceText(0.9 * minute), 'Space for less than a minute.');
  assert.equal(spaceText(119 * minute), 'Space for about 119 min.');
  assert.equal(spaceText(240 * minute), 'Space for about 4 h.');
});
