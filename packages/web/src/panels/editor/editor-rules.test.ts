import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import type { Clip } from '@stem-studio/contract/resources/project';
import { dragEdit } from './drag-edit.ts';
import { editorActionOf } from './editor-keys.ts';
import { hitAt } from './hit-test.ts';
import { lanesBetween, noSelection, selectClip, selectSpan, stillSelected } from './selection.ts';
import { selectionEdit } from './selection-edit.ts';
import { snapMarks, snapped, stepped } from './snap.ts';
import { endMsOf, onTimeline } from './song-marks.ts';

const state = createProjectState([
  { stem_type: 'vocals', duration_ms: 10_000 },
  { stem_type: 'drums', duration_ms: 10_000 },
]);
const content = {
  beats: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5],
  downbeats: [0, 2],
  sections: [
    { start: 0, end: 2, label: 'intro' },
    { start: 2, end: 4, label: 'verse' },
  ],
  chords: [],
  cues: [],
};
const clip = state.lanes[0]?.clips[0] as Clip;

test('positions snap to the nearest beat, bar or section, and to whole milliseconds without', () => {
  assert.equal(snapped(740, snapMarks('beat', content)), 500);
  assert.equal(snapped(1100, snapMarks('bar', content)), 2000);
  assert.equal(snapped(3400, snapMarks('section', content)), 4000);
  assert.equal(snapped(1234.4, snapMarks('off', content)), 1234);
  assert.equal(stepped(500, 1, snapMarks('beat', content)), 1000);
  assert.equal(stepped(500, -1, snapMarks('bar', content)), 0);
  assert.equal(stepped(50, -1, []), 0);
});

test('after time was removed, bars and sections stand where the song is on the timeline', () => {
  const removed = applyEdit(state, {
    id: 'a',
    operation: 'remove_time',
    params: { start_ms: 1000, end_ms: 2000 },
  });
  const moved = onTimeline(content, removed);
  assert.deepEqual(moved.beats, [0, 0.5, 1, 1.5, 2, 2.5]);
  assert.deepEqual(moved.downbeats, [0, 1]);
  assert.deepEqual(
    moved.sections.map(({ start, end }) => [start, end]),
    [
      [0, 1],
      [1, 3],
    ],
  );
  assert.equal(endMsOf(removed), 9000);
});

test('the pointer finds name, body, edges and fade handles of a clip', () => {
  const lane = state.lanes[0];
  assert.ok(lane);
  const xOf = (ms: number) => ms / 10;
  const on = (x: number, y: number) => hitAt(lane, x, y, xOf).on;
  assert.equal(on(500, 8), 'title');
  assert.equal(on(500, 40), 'body');
  assert.equal(on(1, 40), 'start');
  assert.equal(on(999, 40), 'end');
  assert.equal(on(6, 22), 'fade_in');
  assert.equal(on(994, 22), 'fade_out');
  assert.equal(on(1100, 40), 'lane');
});

test('a drag of a clip moves, trims or fades it, and a drag back changes nothing', () => {
  const drag = (part: 'title' | 'start' | 'end' | 'fade_in', toMs: number, lane = 'vocals') =>
    dragEdit(state, { part, clip, lane: 'vocals', clips: [clip.id], fromMs: 0 }, toMs, lane, []);
  assert.deepEqual(drag('title', 1500), {
    operation: 'move',
    params: { clip_ids: ['vocals'], to_ms: 1500 },
  });
  assert.deepEqual(drag('title', 0, 'drums'), {
    operation: 'move',
    params: { clip_ids: ['vocals'], to_ms: 0, stem_type: 'drums' },
  });
  assert.deepEqual(drag('start', 700), {
    operation: 'trim',
    params: { start_ms: 700, end_ms: 10_000, clip_id: 'vocals' },
  });
  assert.deepEqual(drag('end', 12_000)?.params, { start_ms: 0, end_ms: 12_000, clip_id: 'vocals' });
  assert.deepEqual(drag('fade_in', 2000)?.params, {
    start_ms: 0,
    end_ms: 2000,
    clip_id: 'vocals',
    curve: clip.fade_in.curve,
  });
  assert.equal(drag('title', 0), null);
});

test('a selection reaches across lanes, holds clips, and loses those that are gone', () => {
  assert.deepEqual(lanesBetween(['a', 'b', 'c'], 'c', 'b'), ['b', 'c']);
  assert.deepEqual(selectSpan(2000, 1000, ['a']).span, { startMs: 1000, endMs: 2000 });
  assert.equal(selectSpan(1000, 1000, ['a']).span, null);
  const both = selectClip(selectClip(noSelection, state, 'vocals', false), state, 'drums', true);
  assert.deepEqual(both.clips, ['vocals', 'drums']);
  const emptied = applyEdit(state, {
    id: 'a',
    operation: 'delete',
    params: { start_ms: 0, end_ms: 10_000 },
  });
  assert.deepEqual(stillSelected(both, emptied).clips, []);
  assert.equal(stillSelected(both, emptied).span, null);
});

test('operations act on the chosen lanes of the selected span, on all without', () => {
  const span = selectSpan(1000, 2000, ['vocals']);
  assert.deepEqual(selectionEdit('cut', span, state), {
    operation: 'cut',
    params: { start_ms: 1000, end_ms: 2000, lanes: ['vocals'] },
  });
  assert.deepEqual(selectionEdit('delete', selectSpan(1, 2, []), state)?.params, { start_ms: 1, end_ms: 2 });
  assert.deepEqual(selectionEdit('split', noSelection, state)?.params, { start_ms: 0 });
  assert.equal(selectionEdit('cut', noSelection, state), null);
  assert.equal(selectionEdit('paste', noSelection, state), null);
});

test('the keys of the editor are those of other editors', () => {
  const press = (key: string, change = {}) =>
    editorActionOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...change });
  assert.equal(press('s'), 'split');
  assert.equal(press('x', { ctrlKey: true }), 'cut');
  assert.equal(press('v', { metaKey: true }), 'paste');
  assert.equal(press('Z', { ctrlKey: true, shiftKey: true }), 'redo');
  assert.equal(press('Delete', { shiftKey: true }), 'remove-time');
  assert.equal(press('ArrowRight', { shiftKey: true }), 'select-right');
  assert.equal(press('S', { shiftKey: true }), 'solo');
  assert.equal(press('A', { ctrlKey: true, shiftKey: true }), 'select-lane');
  assert.equal(press('?', { shiftKey: true }), 'list-keys');
  assert.equal(press('x'), null);
  assert.equal(press('s', { ctrlKey: true }), null);
});
