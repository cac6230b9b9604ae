import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endingStage } from './remaining-seconds.ts';

const deck = { is_playing: true, loop: null, duration_ms: 200_000, tempo_percent: 0 };

test('the countdown has a stage at 30 s and one at 15 s, of playing time at the present tempo', () => {
  assert.equal(endingStage(deck, 169.9), null);
  assert.equal(endingStage(deck, 170), 30);
  assert.equal(endingStage(deck, 185), 15);
  assert.equal(endingStage(deck, 200), null);
  // 36 s of the song last 30 s at +20 %, and 18 s last 15 s.
  const faster = { ...deck, tempo_percent: 20 };
  assert.deepEqual([endingStage(faster, 164.1), endingStage(faster, 182.1)], [30, 15]);
});

test('no countdown runs on a paused deck and in a loop that holds the song, but beyond the loop', () => {
  assert.equal(endingStage({ ...deck, is_playing: false }, 190), null);
  const held = { ...deck, loop: { start_ms: 180_000, end_ms: 184_000, active: true } };
  assert.deepEqual([endingStage(held, 182), endingStage(held, 190)], [null, 15]);
  assert.equal(endingStage({ ...held, loop: { ...held.loop, active: false } }, 182), 30);
});
