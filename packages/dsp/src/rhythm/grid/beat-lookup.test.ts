import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beatLookupOf } from './beat-lookup.ts';

describe('nearest beat of a time', () => {
  it('is within half a beat of the time', () => {
    const grid = beatLookupOf({ beats: [1, 1.5, 2, 3], downbeats: [1.5] });
    const found = [0.7, 0.76, 1.24, 1.26, 2.49, 2.51, 3.5, 3.6].map((seconds) => grid.beatNear(seconds));
    assert.deepEqual(found, [null, 0, 0, 1, 2, 3, 3, null]);
    assert.deepEqual(grid.barOf, [-1, 0, 0, 0]);
  });

  it('is null without beats, and works with a single beat', () => {
    assert.equal(beatLookupOf({}).beatNear(1), null);
    const lone = beatLookupOf({ beats: [1] });
    assert.deepEqual([lone.beatNear(1.2), lone.beatNear(1.3)], [0, null]);
  });
});
