import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endAfterMs, noTaps, tapText, withTap } from './tap-series.ts';

test('shows how many taps are missing, and the tempo from the fourth tap on', () => {
  let series = noTaps;
  const texts = [tapText(series, true)];
  for (const seconds of [10, 10.5, 11, 11.5]) {
    series = withTap(series, seconds);
    texts.push(tapText(series, true));
  }
  assert.deepEqual(texts.slice(1), ['3 more', '2 more', '1 more', '120.0 BPM, ± 0 ms']);
  assert.match(texts[0] ?? '', /from a downbeat/);
  assert.match(tapText(noTaps, false), /Play to tap along/);
});

test('starts a new series after a pause or a jump backwards', () => {
  const series = [10, 10.5, 11, 11.5].reduce(withTap, noTaps);
  assert.deepEqual(withTap(series, 15).taps, [15]);
  assert.deepEqual(withTap(series, 2).taps, [2]);
  assert.equal(withTap(series, 12.1).taps.length, 5);
});

test('ends a series later at a slow tempo', () => {
  const slow = [0, 2, 4, 6].reduce(withTap, noTaps);
  assert.equal(endAfterMs(slow), 5000);
  assert.equal(endAfterMs(withTap(noTaps, 1)), 1200);
});
