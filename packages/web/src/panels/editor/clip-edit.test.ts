import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import { edit } from '@stem-studio/contract/resources/edit-operation';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import { commonOf, fadeEdit, targetOf, tempoOf, warpPoints } from './clip-edit.ts';
import { stretchEdit } from './drag-edit.ts';
import { noSelection, selectSpan } from './selection.ts';

const song = createProjectState([
  { stem_type: 'vocals', duration_ms: 10_000 },
  { stem_type: 'drums', duration_ms: 10_000 },
]);

test('fields of the selection change its clips, or the span on its lanes', () => {
  assert.equal(targetOf(song, noSelection), null);
  const span = targetOf(song, selectSpan(1000, 2000, ['drums']));
  assert.deepEqual(span?.params, { start_ms: 1000, end_ms: 2000, lanes: ['drums'] });
  assert.deepEqual(targetOf(song, selectSpan(1000, 2000, ['vocals', 'drums']))?.params, {
    start_ms: 1000,
    end_ms: 2000,
  });
  const clip = targetOf(song, { ...noSelection, lanes: ['vocals'], clips: ['vocals'] });
  assert.deepEqual(clip?.params, { clip_ids: ['vocals'] });
  assert.equal(
    commonOf(clip?.clips ?? [], ({ volume }) => volume),
    100,
  );
  const louder = applyEdit(song, {
    id: 'a',
    operation: 'volume',
    params: { clip_ids: ['vocals'], value: 50 },
  });
  const both = targetOf(louder, selectSpan(0, 2000, []));
  assert.equal(
    commonOf(both?.clips ?? [], ({ volume }) => volume),
    null,
    'clips that differ have no common value',
  );
});

test('fades from the menu are one step: new ones have a length, known ones keep theirs, None removes all', () => {
  const split = applyEdit(song, {
    id: 's',
    operation: 'split',
    params: { start_ms: 9000, lanes: ['vocals'] },
  });
  const first = applyEdit(split, {
    id: 'f',
    operation: 'fade_out',
    params: { start_ms: 7000, end_ms: 9000, clip_id: 'vocals' },
  });
  const fades = (state: ProjectState) => state.lanes[0]?.clips.map((clip) => clip.fade_out);
  const clips = first.lanes[0]?.clips ?? [];
  const faded = applyEdit(first, { id: 'a', ...fadeEdit(clips, 'fade_out', 's_curve') });
  assert.deepEqual(fades(faded), [
    { length_ms: 2000, curve: 's_curve' },
    { length_ms: 500, curve: 's_curve' },
  ]);
  assert.deepEqual(faded.lanes[1], first.lanes[1]);
  const none = applyEdit(faded, { id: 'c', ...fadeEdit(clips, 'fade_out', 'none') });
  assert.deepEqual(
    fades(none)?.map(({ length_ms }) => length_ms),
    [0, 0],
  );
});

test('beats are brought to a tempo, each or all by one factor, and the first one stays', () => {
  const beatsMs = [500, 1010, 1480, 2000];
  assert.equal(Math.round(tempoOf(beatsMs) ?? 0), 120);
  const straight = warpPoints({ kind: 'straighten', beatsMs, bpm: 100 });
  assert.deepEqual(straight, [
    { from_ms: 500, to_ms: 500 },
    { from_ms: 1010, to_ms: 1100 },
    { from_ms: 1480, to_ms: 1700 },
    { from_ms: 2000, to_ms: 2300 },
  ]);
  assert.ok(edit.safeParse({ operation: 'warp', params: { points: straight } }).success);
  assert.deepEqual(warpPoints({ kind: 'stretch', beatsMs, bpm: 100 }), [
    { from_ms: 500, to_ms: 500 },
    { from_ms: 2000, to_ms: 2300 },
  ]);
  assert.equal(warpPoints({ kind: 'stretch', beatsMs, bpm: 600 }), null, 'more than four times as fast');
  assert.equal(warpPoints({ kind: 'stretch', beatsMs: [500], bpm: 100 }), null);
});

test('a stretched edge goes as far as the tempo may change', () => {
  const [clip] = song.lanes[0]?.clips ?? [];
  assert.ok(clip);
  assert.deepEqual(stretchEdit(clip, { start_ms: 0, end_ms: 12_000 })?.params, {
    points: [
      { from_ms: 0, to_ms: 0 },
      { from_ms: 10_000, to_ms: 12_000 },
    ],
    clip_ids: ['vocals'],
  });
  const shortest = stretchEdit(clip, { start_ms: 0, end_ms: 100 });
  assert.ok(edit.safeParse(shortest).success);
  assert.equal(stretchEdit(clip, { start_ms: 0, end_ms: 10_000 }), null);
});
