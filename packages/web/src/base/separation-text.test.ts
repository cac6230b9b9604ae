import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  makerText,
  separationCostText,
  separationLetter,
  separationName,
  takenText,
  workTimeText,
} from './separation-text.ts';

test('names a separation by its model, or by the cloud and its stems', () => {
  const made = { engine: 'local', model: 'hybrid_4_ft', preview: false, stems: [1, 2, 3, 4] } as const;
  assert.equal(separationName(made), 'Best');
  assert.equal(separationName({ ...made, preview: true }), 'Best, first minute');
  assert.equal(separationName({ ...made, engine: 'cloud', stems: [1] }), 'Cloud, 1 stem');
  assert.deepEqual([separationLetter(0), separationLetter(25), separationLetter(26)], ['A', 'Z', '27']);
});

test('says which engine and network made a separation', () => {
  assert.equal(
    makerText({ engine: 'local', model: 'hybrid_4', backend: 'spectral', network: null }),
    'This studio, hybrid_4, built-in method',
  );
  assert.equal(
    makerText({ engine: 'local', model: 'alt_4', backend: 'onnx', network: 'alt_4-3f2a' }),
    'This studio, alt_4, network alt_4-3f2a',
  );
  assert.equal(makerText({ engine: 'cloud', model: 'cloud', backend: 'cloudsep', network: null }), 'Cloud');
});

test('formats how long a separation took and the disk it uses', () => {
  assert.deepEqual([null, 0, 0.04, 8.26, 9.99, 59.4, 60, 80, 3600, 3725].map(takenText), [
    '–',
    '0.1 s',
    '0.1 s',
    '8.3 s',
    '10 s',
    '59 s',
    '1 min',
    '1 min 20 s',
    '1 h',
    '1 h 2 min',
  ]);
  const cost = { stems: [1, 2, 3, 4], seconds_taken: 12, bytes: 84_672_400 };
  assert.equal(separationCostText(cost), '4 stems · took 12 s · 84.7 MB');
  assert.equal(separationCostText({ ...cost, seconds_taken: null }), '4 stems · 84.7 MB');
});

test('estimates the time of a separation from the measured speed', () => {
  assert.equal(workTimeText(12, 240), 'About 20 s for this song');
  assert.equal(workTimeText(100, 30), 'About 5 s for this song');
  assert.equal(workTimeText(2, 240), 'About 2 min for this song');
  assert.equal(workTimeText(0.2, 240), 'About 20 min for this song');
  assert.equal(workTimeText(null, 240), 'The time is known once this studio has used it');
});
