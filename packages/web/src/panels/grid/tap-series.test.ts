import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noTaps, overAfterMs, tapWords, withTap } from './tap-series.ts';

test('four taps tell a tempo, and the words say how many are left until then', () => {
  let series = noTaps;
  const said = [tapWords(series, true)];
  for (const place of [10, 10.5, 11, 11.5]) {
    series = withTap(series, place);
    said.push(tapWords(series, true));
  }
  assert.deepEqual(said.slice(1), ['3 more', '2 more', '1 more', '120.0 bpm, ± 0 ms']);
  assert.match(said[0] ?? '', /first on a one/);
  assert.match(tapWords(noTaps, false), /Play the song/);
});

test('after a pause, and after a jump back in the song, a new series begins', () => {
  const series = [10, 10.5, 11, 11.5].reduce(withTap, noTaps);
  assert.deepEqual(withTap(series, 15).taps, [15]);
  assert.deepEqual(withTap(series, 2).taps, [2]);
  assert.equal(withTap(series, 12.1).taps.length, 5);
});

test('a slow beat has longer to wait before a series is over', () => {
  const slow = [0, 2, 4, 6].reduce(withTap, noTaps);
  assert.equal(overAfterMs(slow), 5000);
  assert.equal(overAfterMs(withTap(noTaps, 1)), 1200);
});
