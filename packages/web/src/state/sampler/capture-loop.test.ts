import assert from 'node:assert/strict';
import { test } from 'node:test';
import { regionOf } from './capture-loop.ts';

const beats = Array.from({ length: 100 }, (_, beat) => 0.25 + beat / 2);
const grid = { beats, downbeats: beats.filter((_, beat) => beat % 4 === 0) };
const loop = { start_ms: 2_250, end_ms: 4_250, active: false };
const vocals = { stem_type: 'vocals', volume: 1, is_muted: false, is_soloed: false } as const;

test('captures the loop of the deck, active or not, with its number of beats', () => {
  assert.deepEqual(regionOf({ loop, stems: [] }, null, grid, 10, 8), {
    startSeconds: 2.25,
    endSeconds: 4.25,
    beats: 4,
  });
  assert.equal(regionOf({ loop: { ...loop, end_ms: 4_400 }, stems: [] }, null, grid, 10, 8).beats, null);
});

test('captures the active loop of a stem before that of the deck', () => {
  const own = { start_ms: 250, end_ms: 1_250, active: true };
  const stems = [{ ...vocals, loop: own }];
  assert.deepEqual(regionOf({ loop, stems }, 'vocals', grid, 0, 4).beats, 2);
  assert.equal(regionOf({ loop, stems }, null, grid, 0, 4).beats, 4);
  const off = [{ ...vocals, loop: { ...own, active: false } }];
  assert.equal(regionOf({ loop, stems: off }, 'vocals', grid, 0, 4).beats, 4);
});

test('captures the selected loop length from the playhead where the deck has no loop', () => {
  const region = regionOf({ loop: null, stems: [] }, null, grid, 5.25, 8);
  assert.deepEqual([region.startSeconds, region.endSeconds, region.beats], [5.25, 9.25, 8]);
  const plain = regionOf({ loop: null, stems: [] }, null, { beats: [], downbeats: [] }, 5, 8);
  assert.deepEqual(plain, { startSeconds: 5, endSeconds: 7, beats: null });
});
