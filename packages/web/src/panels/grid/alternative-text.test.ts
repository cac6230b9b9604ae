import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridEdit, type RhythmAlternative } from '@stem-studio/contract/resources/beat-grid';
import { alternativeEdit, alternativeLabel } from './alternative-text.ts';

const alternatives: readonly [RhythmAlternative, string, object][] = [
  [
    { change: 'shift', beats: 0.5, probability: 0.3 },
    'Half a beat later',
    { edit: 'shift_beats', beats: 0.5 },
  ],
  [{ change: 'multiply', factor: '2', probability: 0.2 }, 'Double', { edit: 'multiply', factor: '2' }],
  [{ change: 'multiply', factor: '1/2', probability: 0.2 }, 'Half', { edit: 'multiply', factor: '1/2' }],
  [
    { change: 'metre', time_signature: '3/4', probability: 0.1 },
    '3/4',
    { edit: 'set_time_signature', time_signature: '3/4' },
  ],
];

for (const [alternative, label, edit] of alternatives) {
  test(`offers "${label}" as an edit of the grid`, () => {
    assert.equal(alternativeLabel(alternative), label);
    assert.deepEqual(gridEdit.parse(alternativeEdit(alternative)), edit);
  });
}
