import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edit } from '../resources/edit-operation.ts';
import type { ProjectState } from '../resources/project.ts';
import { after, cut, move, song, split } from '../testing/song-edits.ts';
import { notesOnTimeline } from './notes-on-timeline.ts';

const transcribed = (start_ms: number, end_ms: number, pitch = 60) => ({
  start_ms,
  end_ms,
  pitch,
  velocity: 90,
});
const played = (state: ProjectState, notes: ReturnType<typeof transcribed>[], lane = 'vocals') =>
  notesOnTimeline(state, lane, 'vocals', notes).map(
    ({ start_ms, length_ms, pitch }) => `${start_ms}+${length_ms} ${pitch}`,
  );

test('notes of an unchanged lane stay, and splits do not divide them', () => {
  assert.deepEqual(played(song, [transcribed(1000, 2000), transcribed(0, 500, 40)]), [
    '0+500 40',
    '1000+1000 60',
  ]);
  assert.deepEqual(played(after(song, split(1500)), [transcribed(1000, 2000)]), ['1000+1000 60']);
});

test('notes follow clips that were cut, moved, copied and transposed', () => {
  const state = after(song, cut(2000, 10_000, { stem_type: 'vocals' }), move(['vocals'], 5000));
  assert.deepEqual(played(state, [transcribed(1500, 2500), transcribed(3000, 3500)]), ['6500+500 60']);
  const copied = after(song, { operation: 'duplicate', params: { start_ms: 0, end_ms: 1000 } });
  assert.deepEqual(played(copied, [transcribed(200, 400)]), ['200+200 60', '1200+200 60']);
  const transpose = (value: number): Edit => ({ operation: 'transpose', params: { value } });
  assert.deepEqual(played(after(song, transpose(-3)), [transcribed(0, 100), transcribed(0, 100, 2)]), [
    '0+100 57',
  ]);
  assert.deepEqual(played(song, [transcribed(0, 100)], 'bass'), [], 'clips of another stem');
});

test('notes follow clips that are stretched and reversed', () => {
  const points = [
    { from_ms: 0, to_ms: 0 },
    { from_ms: 10_000, to_ms: 20_000 },
  ];
  const stretched = after(song, { operation: 'warp', params: { points } });
  assert.deepEqual(played(stretched, [transcribed(1000, 2000)]), ['2000+2000 60']);
  const reverse: Edit = { operation: 'reverse', params: { clip_ids: ['vocals'], value: 1 } };
  assert.deepEqual(played(after(song, reverse), [transcribed(1000, 3000)]), ['7000+2000 60']);
  assert.deepEqual(played(after(stretched, reverse), [transcribed(1000, 3000)]), ['14000+4000 60']);
});
