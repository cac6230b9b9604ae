import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editBounds } from '../limits.ts';
import type { Edit } from '../resources/edit-operation.ts';
import type { Clip, ProjectState } from '../resources/project.ts';
import { after, clipsOf, cut, laneOf, song, split, text } from '../testing/song-edits.ts';
import { applyEdit, exceededBy } from './apply-edit.ts';
import { createProjectState } from './project-state.ts';
import { songMsAt } from './time-map.ts';

test('a new state has a lane per stem, in the order of stem types', () => {
  assert.deepEqual(
    song.lanes.map(({ id }) => id),
    ['vocals', 'drums', 'bass'],
  );
  assert.deepEqual(clipsOf(song, 'bass'), ['bass 0–9500 from 0']);
  assert.equal(song.duration_ms, 10_000);
  const { volume, pan, is_muted, is_soloed } = laneOf(song, 'drums');
  assert.deepEqual([volume, pan, is_muted, is_soloed], [100, 0, false, false]);
  assert.deepEqual(createProjectState([{ stem_type: 'vocals', duration_ms: 0 }]).lanes[0]?.clips, []);
});

test('cut moves audio to the clipboard, and paste replaces what is at its position', () => {
  const state = after(song, cut(1000, 3000, { stem_type: 'vocals' }));
  assert.deepEqual(clipsOf(state), ['vocals 0–1000 from 0', 'a.1 3000–10000 from 3000']);
  assert.deepEqual(clipsOf(state, 'drums'), ['drums 0–10000 from 0']);
  assert.deepEqual(state.clipboard?.length_ms, 2000);
  assert.deepEqual(text(state.clipboard?.lanes[0]?.clips ?? []), ['vocals 0–2000 from 1000']);

  const pasted = after(song, cut(1000, 3000, { stem_type: 'vocals' }), {
    operation: 'paste',
    params: { to_ms: 4000 },
  });
  assert.deepEqual(clipsOf(pasted), [
    'vocals 0–1000 from 0',
    'a.1 3000–4000 from 3000',
    'b.2 4000–6000 from 1000',
    'b.1 6000–10000 from 6000',
  ]);
  assert.deepEqual(pasted.clipboard, state.clipboard);
});

test('paste after the end of the song, or without a clipboard', () => {
  const paste = (to_ms: number): Edit => ({ operation: 'paste', params: { to_ms } });
  assert.equal(after(song, paste(0)), song);
  const copy: Edit = { operation: 'copy', params: { start_ms: 9000, end_ms: 12_000 } };
  const state = after(song, copy, paste(20_000));
  assert.deepEqual(clipsOf(state), ['vocals 0–10000 from 0', 'b.1 20000–21000 from 9000']);
  assert.deepEqual(clipsOf(state, 'bass'), ['bass 0–9500 from 0', 'b.3 20000–20500 from 9000']);
  // The copied silence after the song replaces audio.
  const over = after(song, copy, paste(2000));
  assert.deepEqual(clipsOf(over).slice(0, 3), [
    'vocals 0–2000 from 0',
    'b.2 2000–3000 from 9000',
    'b.1 5000–10000 from 5000',
  ]);
  const end = after(song, copy, paste(editBounds.ms - 400));
  assert.deepEqual(clipsOf(end)[1], `b.1 ${editBounds.ms - 400}–${editBounds.ms} from 9000`);
  assert.deepEqual(clipsOf(after(song, copy, paste(editBounds.ms))), clipsOf(song));
});

test('copy changes only the clipboard', () => {
  const state = after(song, {
    operation: 'copy',
    params: { start_ms: 0, end_ms: 500, lanes: ['drums', 'bass'] },
  });
  assert.equal(state.lanes, song.lanes);
  assert.deepEqual(
    state.clipboard?.lanes.map(({ id }) => id),
    ['drums', 'bass'],
  );
});

test('delete leaves silence; a span without audio or without a known lane changes nothing', () => {
  const remove = (start_ms: number, end_ms: number, more: object = {}): Edit => ({
    operation: 'delete',
    params: { start_ms, end_ms, ...more },
  });
  assert.deepEqual(clipsOf(after(song, remove(0, 10_000))), []);
  assert.deepEqual(clipsOf(after(song, remove(9600, 20_000)), 'bass'), ['bass 0–9500 from 0']);
  assert.deepEqual(clipsOf(after(song, remove(0, 1))), ['vocals 1–10000 from 1']);
  assert.equal(after(song, remove(10_000, 20_000)), song);
  assert.equal(after(song, remove(0, 5000, { stem_type: 'piano' })), song);
  assert.equal(after(song, remove(0, 5000, { lanes: ['piano', 'guitar'] })), song);
  assert.equal(after(song, cut(0, 5000, { stem_type: 'piano' })), song);
});

test('duplicate copies a span to its end, instead of what is there', () => {
  const state = after(song, {
    operation: 'duplicate',
    params: { start_ms: 2000, end_ms: 4000, stem_type: 'drums' },
  });
  assert.deepEqual(clipsOf(state, 'drums'), [
    'drums 0–4000 from 0',
    'a.2 4000–6000 from 2000',
    'a.1 6000–10000 from 6000',
  ]);
  assert.equal(state.clipboard, null);
});

test('remove_time closes the gap on all lanes and moves markers and the time of the song', () => {
  const marker = (start_ms: number, label: string): Edit => ({
    operation: 'marker',
    params: { start_ms, label },
  });
  const state = after(song, marker(1000, 'Verse'), marker(2500, 'Break'), marker(6000, 'Chorus'), {
    operation: 'remove_time',
    params: { start_ms: 2000, end_ms: 5000 },
  });
  assert.deepEqual(clipsOf(state), ['vocals 0–2000 from 0', 'd.1 2000–7000 from 5000']);
  assert.deepEqual(clipsOf(state, 'bass'), ['bass 0–2000 from 0', 'd.3 2000–6500 from 5000']);
  assert.deepEqual(state.markers, [
    { start_ms: 1000, label: 'Verse' },
    { start_ms: 3000, label: 'Chorus' },
  ]);
  assert.deepEqual(state.time_map, [
    { start_ms: 0, from_ms: 0, rate: 1 },
    { start_ms: 2000, from_ms: 5000, rate: 1 },
  ]);
  const again = applyEdit(state, {
    id: 'e',
    operation: 'remove_time',
    params: { start_ms: 1000, end_ms: 3000 },
  });
  assert.deepEqual(again.time_map, [
    { start_ms: 0, from_ms: 0, rate: 1 },
    { start_ms: 1000, from_ms: 6000, rate: 1 },
  ]);
  assert.deepEqual(
    [999, 1000, 1500].map((ms) => songMsAt(again.time_map, ms)),
    [999, 6000, 6500],
  );
  // What follows the end of the song has no time of the song that could be removed.
  const beyond = after(song, { operation: 'remove_time', params: { start_ms: 9000, end_ms: 15_000 } });
  assert.deepEqual(beyond.time_map.at(-1), { start_ms: 9000, from_ms: 10_000, rate: 1 });
  const start = after(song, { operation: 'remove_time', params: { start_ms: 0, end_ms: 4000 } });
  assert.deepEqual(start.time_map, [{ start_ms: 0, from_ms: 4000, rate: 1 }]);
  assert.equal(after(song, { operation: 'remove_time', params: { start_ms: 10_000, end_ms: 11_000 } }), song);
});

test('trim deletes everything outside a span', () => {
  const state = after(song, { operation: 'trim', params: { start_ms: 1000, end_ms: 2000 } });
  assert.deepEqual(
    [clipsOf(state), clipsOf(state, 'bass')],
    [['vocals 1000–2000 from 1000'], ['bass 1000–2000 from 1000']],
  );
  const empty = after(song, {
    operation: 'trim',
    params: { start_ms: 20_000, end_ms: 21_000, stem_type: 'bass' },
  });
  assert.deepEqual([clipsOf(empty, 'bass'), clipsOf(empty)], [[], clipsOf(song)]);
  assert.equal(after(song, { operation: 'trim', params: { start_ms: 0, end_ms: 10_000 } }), song);
});

test('pan, mute and solo set the channel strips of the named lanes', () => {
  const state = after(
    song,
    { operation: 'pan', params: { lanes: ['vocals', 'bass'], value: -40 } },
    { operation: 'mute', params: { stem_type: 'drums', value: 1 } },
    { operation: 'solo', params: { value: 1 } },
    { operation: 'solo', params: { stem_type: 'bass', lanes: ['vocals'], value: 0 } },
  );
  assert.deepEqual(
    state.lanes.map(({ pan, is_muted, is_soloed }) => [pan, is_muted, is_soloed]),
    [
      [-40, false, false],
      [0, true, true],
      [-40, false, false],
    ],
  );
  assert.equal(after(state, { operation: 'mute', params: { stem_type: 'drums', value: 1 } }), state);
});

test('a marker is replaced by one at the same position, and deleted by an empty text', () => {
  const marker = (start_ms: number, label: string): Edit => ({
    operation: 'marker',
    params: { start_ms, label },
  });
  const state = after(song, marker(5000, 'Chorus'), marker(0, 'Intro'), marker(5000, 'Drop'));
  assert.deepEqual(state.markers, [
    { start_ms: 0, label: 'Intro' },
    { start_ms: 5000, label: 'Drop' },
  ]);
  assert.equal(after(state, marker(0, 'Intro')), state);
  assert.equal(after(state, marker(1, '')), state);
  assert.deepEqual(after(state, marker(0, '')).markers, [{ start_ms: 5000, label: 'Drop' }]);
});

test('an operation that would leave too many clips changes nothing', () => {
  const clip = laneOf(song, 'vocals').clips[0] as Clip;
  const count = editBounds.clipsPerProject - 3;
  const clips = Array.from({ length: count }, (_, index) => ({
    ...clip,
    id: `c${index}`,
    start_ms: index * 2,
    length_ms: 2,
    from_ms: 0,
  }));
  const [vocals, ...others] = song.lanes;
  assert.ok(vocals);
  const full: ProjectState = { ...song, lanes: [{ ...vocals, clips }, ...others] };
  const one = { ...split(9001, 'drums'), id: 'x' };
  const fits = applyEdit(full, one);
  assert.equal(clipsOf(fits, 'drums').length, 2);
  assert.equal(exceededBy(full, one), null);
  const tooMany = { ...split(9001), id: 'y' };
  assert.equal(applyEdit(full, tooMany), full);
  assert.equal(exceededBy(full, tooMany), 'clips');
});
