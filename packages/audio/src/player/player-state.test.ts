import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlayerState, effectiveGain, loopBetween, snapToBeat, withRow } from './player-state.ts';

const rows = createPlayerState(['vocals', 'drums', 'bass', 'other']).rows;
const gains = (of: typeof rows) => of.map((row) => effectiveGain(row, of));

test('without solo every stem plays at its volume', () => {
  assert.deepEqual(gains(withRow(rows, 1, { volume: 1.5 })), [1, 1.5, 1, 1]);
});

test('solo mutes every other stem, several soloed stems play together', () => {
  const one = withRow(rows, 2, { isSoloed: true });
  assert.deepEqual(gains(one), [0, 0, 1, 0]);
  assert.deepEqual(gains(withRow(one, 0, { isSoloed: true })), [1, 0, 1, 0]);
});

test('mute wins over solo', () => {
  const soloed = withRow(rows, 0, { isSoloed: true });
  assert.deepEqual(gains(withRow(soloed, 0, { isMuted: true })), [0, 0, 0, 0]);
});

test('a fader stays between 0 and 200 percent', () => {
  assert.equal(withRow(rows, 0, { volume: 3 })[0]?.volume, 2);
  assert.equal(withRow(rows, 0, { volume: -1 })[0]?.volume, 0);
});

test('a loop may be drawn backwards and stays inside the song', () => {
  assert.deepEqual(loopBetween(9, 4, 60), { startSeconds: 4, endSeconds: 9 });
  assert.deepEqual(loopBetween(-2, 70, 60), { startSeconds: 0, endSeconds: 60 });
  assert.equal(loopBetween(4, 4.01, 60), null);
});

test('a position snaps to the nearest beat', () => {
  const beats = [0.5, 1, 1.5, 2];
  assert.equal(snapToBeat(1.2, beats), 1);
  assert.equal(snapToBeat(1.3, beats), 1.5);
  assert.equal(snapToBeat(0, beats), 0.5);
  assert.equal(snapToBeat(9, beats), 2);
  assert.equal(snapToBeat(9, []), 9);
});
