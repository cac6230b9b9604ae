import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import { edit } from '@stem-studio/contract/resources/edit-operation';
import type { Clip, ProjectState } from '@stem-studio/contract/resources/project';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { commonOf, fadeEdit, targetOf, tempoOf, warpPoints } from './clip-edit.ts';
import { clipTimeOf, warpMarksOf } from './clip-time.ts';
import { onsetEdit, stretchEdit } from './drag-edit.ts';
import { findOnset } from './find-onset.ts';
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

test('an onset moves between the changes of tempo around it, as far as the tempo may change', () => {
  const [clip] = song.lanes[1]?.clips ?? [];
  assert.ok(clip);
  const edit = onsetEdit(clip, [2000, 4000], 3000, 3100);
  assert.ok(edit);
  assert.deepEqual(edit.params, {
    points: [
      { from_ms: 2000, to_ms: 2000 },
      { from_ms: 3000, to_ms: 3100 },
      { from_ms: 4000, to_ms: 4000 },
    ],
    clip_ids: ['drums'],
  });
  const moved = applyEdit(song, { id: 'a', ...edit });
  const [warped] = moved.lanes[1]?.clips ?? [];
  assert.ok(warped);
  assert.deepEqual([warped.start_ms, warped.length_ms], [0, 10_000]);
  assert.deepEqual(warpMarksOf(moved, warped), [2000, 3100, 4000]);
  const { recordedAt, timelineAt } = clipTimeOf(moved, warped);
  assert.equal(recordedAt(3.1), 3);
  assert.equal(timelineAt(3), 3.1);
  // A quarter of the tempo before it, then no further.
  assert.deepEqual(onsetEdit(clip, [2000, 2100], 2050, 9000)?.params, {
    points: [
      { from_ms: 2000, to_ms: 2000 },
      { from_ms: 2050, to_ms: 2087.5 },
      { from_ms: 2100, to_ms: 2100 },
    ],
    clip_ids: ['drums'],
  });
  assert.equal(onsetEdit(clip, [], 3000, 3000), null);
  assert.equal(onsetEdit(clip, [], 0, 500), null, 'the start of the clip stays');
});

test('the onset nearest to the pointer is found through the warp of a clip, and not before its samples are read', () => {
  const rateHz = 44_100;
  const click = 3 * rateHz;
  const source = {
    sampleRateHz: () => rateHz,
    samples: (_: string, block: number) =>
      Float32Array.from({ length: CHUNK_FRAMES }, (__, n) => {
        const after = block * CHUNK_FRAMES + n - click;
        return after >= 0 && after < 500 ? Math.exp(-after / 200) * Math.cos(after) : 0;
      }),
  };
  const [clip] = song.lanes[1]?.clips ?? [];
  assert.ok(clip);
  const near = (ms: number | null, wanted: number) => assert.ok(Math.abs((ms ?? 0) - wanted) < 1, `${ms}`);
  near(findOnset(source, song, clip, 3040, 100), 3000);
  assert.equal(findOnset(source, song, clip, 3300, 100), null);
  const edited = onsetEdit(clip, [], 3000, 3500);
  assert.ok(edited);
  const moved = applyEdit(song, { id: 'a', ...edited });
  near(findOnset(source, moved, moved.lanes[1]?.clips[0] as Clip, 3450, 100), 3500);
  const unread = { ...source, samples: () => null };
  assert.equal(findOnset(unread, song, clip, 3000, 100), null);
});
