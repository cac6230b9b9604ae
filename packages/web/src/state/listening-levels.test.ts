import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelsText, parseLevels } from './listening-levels.ts';

test('stored levels are read back', () => {
  const levels = { masterVolume: 0.4, metronomeGain: 0.7, countInBars: 2 };
  assert.deepEqual(parseLevels(levelsText(levels)), levels);
});

test('text of another format, version or range contains no levels', () => {
  const loud = levelsText({ masterVolume: 3, metronomeGain: 0.7, countInBars: 2 });
  for (const text of [undefined, null, '{', '{"version":2}', loud])
    assert.equal(parseLevels(text), null, String(text));
});
