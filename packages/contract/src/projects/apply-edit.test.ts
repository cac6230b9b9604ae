import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editBounds } from '../limits.ts';
import type { Edit } from '../resources/edit-operation.ts';
import type { Clip, ProjectState } from '../resources/project.ts';
import { applyEdit, exceedsClips } from './apply-edit.ts';
import { endOf } from './clip-parts.ts';
import { createProjectState } from './project-state.ts';
import { songMsAt } from './time-map.ts';

/** Vocals and drums of ten seconds, and a bass that is half a second shorter. */
const song = createProjectState([
  { stem_type: 'bass', duration_ms: 9500 },
  { stem_type: 'drums', duration_ms: 10_000 },
  { stem_type: 'vocals', duration_ms: 10_000 },
]);

const counts = new WeakMap<ProjectState, number>();

/** Applies operations with the ids `a`, `b`, …, continued for a state that it has returned. */
function after(state: ProjectState, ...edits: readonly Edit[]): ProjectState {
  const first = counts.get(state) ?? 0;
  const changed = edits.reduce(
    (before, edit, index) => applyEdit(before, { ...edit, id: String.fromCharCode(97 + first + index) }),
    state,
  );
  if (changed !== song) counts.set(changed, first + edits.length);
  return changed;
}

/** Returns clips as "id start–end from". */
const text = (clips: readonly Clip[]) =>
  clips.map((clip) => `${clip.id} ${clip.start_ms}–${endOf(clip)} from ${clip.from_ms}`);
const laneOf = (state: ProjectState, id: string) => {
  const lane = state.lanes.find((each) => each.id === id);
  assert.ok(lane, id);
  return lane;
};
const clipsOf = (state: ProjectState, lane = 'vocals') => text(laneOf(state, lane).clips);
const fadesOf = (state: ProjectState, lane = 'vocals') =>
  laneOf(state, lane).clips.map(({ id, fade_in, fade_out }) => [id, fade_in.length_ms, fade_out.length_ms]);
const volumesOf = (state: ProjectState, lane = 'vocals') =>
  laneOf(state, lane).clips.map(({ start_ms, volume }) => [start_ms, volume]);

const cut = (start_ms: number, end_ms: number, more: object = {}): Edit => ({
  operation: 'cut',
  params: { start_ms, end_ms, ...more },
});
const split = (start_ms: number, stem_type?: string): Edit => ({
  operation: 'split',
  params: stem_type === undefined ? { start_ms } : { start_ms, stem_type },
});
const move = (clip_ids: string[], to_ms: number, stem_type?: string): Edit => ({
  operation: 'move',
  params: stem_type === undefined ? { clip_ids, to_ms } : { clip_ids, to_ms, stem_type },
});

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
    { start_ms: 0, from_ms: 0 },
    { start_ms: 2000, from_ms: 5000 },
  ]);
  const again = applyEdit(state, {
    id: 'e',
    operation: 'remove_time',
    params: { start_ms: 1000, end_ms: 3000 },
  });
  assert.deepEqual(again.time_map, [
    { start_ms: 0, from_ms: 0 },
    { start_ms: 1000, from_ms: 6000 },
  ]);
  assert.deepEqual(
    [999, 1000, 1500].map((ms) => songMsAt(again.time_map, ms)),
    [999, 6000, 6500],
  );
  // What follows the end of the song has no time of the song that could be removed.
  const beyond = after(song, { operation: 'remove_time', params: { start_ms: 9000, end_ms: 15_000 } });
  assert.deepEqual(beyond.time_map.at(-1), { start_ms: 9000, from_ms: 10_000 });
  const start = after(song, { operation: 'remove_time', params: { start_ms: 0, end_ms: 4000 } });
  assert.deepEqual(start.time_map, [{ start_ms: 0, from_ms: 4000 }]);
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

test('trim moves the ends of a clip as far as its source reaches', () => {
  const trim = (clip_id: string, start_ms: number, end_ms: number): Edit => ({
    operation: 'trim',
    params: { start_ms, end_ms, clip_id },
  });
  const short = after(song, trim('bass', 2000, 3000));
  assert.deepEqual(clipsOf(short, 'bass'), ['bass 2000–3000 from 2000']);
  assert.deepEqual(clipsOf(after(short, trim('bass', 0, 20_000)), 'bass'), ['bass 0–9500 from 0']);
  // A moved clip starts where its source starts.
  const moved = after(short, move(['bass'], 5000), trim('bass', 0, 6000));
  assert.deepEqual(clipsOf(moved, 'bass'), ['bass 3000–6000 from 0']);
  assert.equal(after(moved, trim('bass', 15_000, 16_000)), moved);
  assert.equal(after(song, trim('nothing', 0, 10)), song);
  // It covers its neighbour completely, which is deleted, and the next one in part.
  const parts = after(song, split(1000, 'vocals'), split(2000, 'vocals'));
  assert.deepEqual(clipsOf(after(parts, trim('vocals', 0, 2500))), [
    'vocals 0–2500 from 0',
    'b.1 2000–10000 from 2000',
  ]);
});

test('a trimmed clip keeps its fades, shortened to its length', () => {
  const faded = after(
    song,
    { operation: 'fade_in', params: { start_ms: 0, end_ms: 3000, clip_id: 'bass' } },
    { operation: 'fade_out', params: { start_ms: 0, end_ms: 4000, clip_id: 'bass' } },
  );
  assert.deepEqual(fadesOf(faded, 'bass'), [['bass', 3000, 4000]]);
  const trimmed = after(faded, {
    operation: 'trim',
    params: { start_ms: 1000, end_ms: 6000, clip_id: 'bass' },
  });
  assert.deepEqual(fadesOf(trimmed, 'bass'), [['bass', 3000, 2000]]);
  const shorter = after(faded, { operation: 'trim', params: { start_ms: 0, end_ms: 100, clip_id: 'bass' } });
  assert.deepEqual(fadesOf(shorter, 'bass'), [['bass', 100, 0]]);
});

test('split divides clips into parts that continue each other', () => {
  const state = after(song, split(4000));
  for (const lane of ['vocals', 'drums', 'bass']) assert.equal(clipsOf(state, lane).length, 2);
  assert.deepEqual(clipsOf(state), ['vocals 0–4000 from 0', 'a.1 4000–10000 from 4000']);
  for (const at of [0, 4000, 10_000, 20_000]) assert.equal(after(state, split(at, 'vocals')), state);
  const faded = after(
    song,
    { operation: 'fade_in', params: { start_ms: 0, end_ms: 3000, clip_id: 'vocals' } },
    { operation: 'fade_out', params: { start_ms: 0, end_ms: 3000, clip_id: 'vocals' } },
    split(2000),
  );
  assert.deepEqual(fadesOf(faded), [
    ['vocals', 2000, 0],
    ['c.1', 0, 3000],
  ]);
});

test('move crossfades clips that overlap in part and deletes those that are covered', () => {
  const parts = after(song, split(3000, 'vocals'), split(5000, 'vocals'));
  assert.deepEqual(clipsOf(parts), [
    'vocals 0–3000 from 0',
    'a.1 3000–5000 from 3000',
    'b.1 5000–10000 from 5000',
  ]);
  assert.deepEqual(clipsOf(after(parts, move(['a.1'], 2500))), [
    'vocals 0–3000 from 0',
    'a.1 2500–4500 from 3000',
    'b.1 5000–10000 from 5000',
  ]);
  assert.deepEqual(clipsOf(after(parts, move(['b.1'], 3000))), [
    'vocals 0–3000 from 0',
    'b.1 3000–8000 from 5000',
  ]);
  // Within another clip: that one is divided around it.
  assert.deepEqual(clipsOf(after(parts, move(['a.1'], 6000))), [
    'vocals 0–3000 from 0',
    'b.1 5000–6000 from 5000',
    'a.1 6000–8000 from 3000',
    'c.1 8000–10000 from 8000',
  ]);
});

test('where a third clip would sound, the oldest is shortened', () => {
  const parts = after(song, split(3000, 'vocals'), split(5000, 'vocals'), move(['a.1'], 2500));
  assert.deepEqual(clipsOf(after(parts, move(['b.1'], 2800))), [
    'vocals 0–2800 from 0',
    'a.1 2500–4500 from 3000',
    'b.1 2800–7800 from 5000',
  ]);
});

test('move to another lane keeps the audio of the stem', () => {
  const state = after(song, split(1000, 'bass'), move(['bass'], 20_000, 'drums'));
  assert.deepEqual(clipsOf(state, 'bass'), ['a.1 1000–9500 from 1000']);
  assert.deepEqual(clipsOf(state, 'drums'), ['drums 0–10000 from 0', 'bass 20000–21000 from 0']);
  assert.equal(laneOf(state, 'drums').clips[1]?.source, 'bass');
  for (const nothing of [
    move(['bass'], 0),
    move(['unknown'], 5),
    move(['bass'], 5, 'piano'),
    move(['bass'], 0, 'bass'),
  ])
    assert.equal(after(song, nothing), song);
  // Several clips keep their distances; the earliest starts at the position.
  const both = after(song, split(2000), move(['a.1', 'drums'], 500));
  assert.deepEqual(clipsOf(both)[1], 'a.1 2500–10500 from 2000');
  assert.deepEqual(clipsOf(both, 'drums')[0], 'drums 500–2500 from 0');
});

test('fades of a span begin with the first clip in it and end with the last one', () => {
  const fade = (operation: 'fade_in' | 'fade_out', start_ms: number, end_ms: number, more: object = {}) =>
    ({ operation, params: { start_ms, end_ms, stem_type: 'vocals', ...more } }) as Edit;
  const inside = after(song, fade('fade_in', 1000, 3000, { curve: 's_curve' }));
  assert.deepEqual(fadesOf(inside), [
    ['vocals', 0, 0],
    ['a.1', 2000, 0],
  ]);
  assert.equal(laneOf(inside, 'vocals').clips[1]?.fade_in.curve, 's_curve');
  assert.equal(after(inside, fade('fade_in', 1000, 3000)), inside);
  const out = after(song, fade('fade_out', 8000, 10_000));
  assert.deepEqual(fadesOf(out), [['vocals', 0, 2000]]);
  assert.deepEqual(fadesOf(after(song, fade('fade_out', 7000, 12_000))), [['vocals', 0, 3000]]);
  // Parts that continue each other are joined for a fade over both.
  const joined = after(song, split(1000), split(2000), fade('fade_in', 500, 2500));
  assert.deepEqual(fadesOf(joined), [
    ['vocals', 0, 0],
    ['c.1', 2000, 0],
  ]);
  assert.deepEqual(clipsOf(joined), ['vocals 0–500 from 0', 'c.1 500–10000 from 500']);
  const joinedOut = after(song, split(1000), split(2000), fade('fade_out', 500, 2500));
  assert.deepEqual(clipsOf(joinedOut), ['vocals 0–2500 from 0', 'c.1 2500–10000 from 2500']);
  assert.deepEqual(fadesOf(joinedOut)[0], ['vocals', 0, 2000]);
  // Parts with different gains are not: the fade ends with the first one.
  const gains = after(
    song,
    { operation: 'volume', params: { start_ms: 1000, end_ms: 10_000, stem_type: 'vocals', value: 50 } },
    fade('fade_in', 500, 2500),
  );
  assert.deepEqual(fadesOf(gains)[1], ['b.1', 500, 0]);
  assert.equal(after(song, fade('fade_in', 10_000, 11_000)), song);
  assert.equal(after(song, fade('fade_in', 500, 500)), song);
});

test('the fade of a clip is as long as the span, at most as the clip; one without length removes it', () => {
  const fade = (operation: 'fade_in' | 'fade_out', end_ms: number, curve?: 'exponential') =>
    ({ operation, params: { start_ms: 0, end_ms, clip_id: 'bass', ...(curve && { curve }) } }) as Edit;
  const state = after(song, fade('fade_in', 20_000, 'exponential'));
  assert.deepEqual(fadesOf(state, 'bass'), [['bass', 9500, 0]]);
  // The newer fade has precedence, and a fade keeps its curve.
  const both = after(state, fade('fade_out', 1500), fade('fade_in', 2000));
  assert.deepEqual(fadesOf(both, 'bass'), [['bass', 2000, 1500]]);
  assert.equal(laneOf(both, 'bass').clips[0]?.fade_in.curve, 'exponential');
  const none = after(both, fade('fade_in', 0), fade('fade_out', 0));
  assert.deepEqual(none, song);
});

test('volume sets the gain of a span, of a clip, or the fader', () => {
  const volume = (value: number, more: object = {}) =>
    ({ operation: 'volume', params: { value, ...more } }) as Edit;
  assert.deepEqual(
    after(song, volume(150, { stem_type: 'bass' })).lanes.map((lane) => lane.volume),
    [100, 100, 150],
  );
  const state = after(song, volume(0, { start_ms: 2000, end_ms: 3000, stem_type: 'vocals' }));
  assert.deepEqual(volumesOf(state), [
    [0, 100],
    [2000, 0],
    [3000, 100],
  ]);
  assert.equal(after(state, volume(0, { start_ms: 2100, end_ms: 2200, stem_type: 'vocals' })), state);
  assert.deepEqual(volumesOf(after(state, volume(30, { clip_id: 'a.1' }))), [
    [0, 100],
    [2000, 30],
    [3000, 100],
  ]);
  const part = after(state, volume(70, { clip_id: 'vocals', start_ms: 500, end_ms: 2500 }));
  assert.deepEqual(volumesOf(part), [
    [0, 100],
    [500, 70],
    [2000, 0],
    [3000, 100],
  ]);
  assert.equal(after(song, volume(100)), song);
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

test('a split within a crossfade turns it into a cut', () => {
  const crossfaded = after(song, split(5000, 'vocals'), move(['a.1'], 4000));
  assert.deepEqual(clipsOf(crossfaded), ['vocals 0–5000 from 0', 'a.1 4000–9000 from 5000']);
  const cutAt = after(crossfaded, split(4500, 'vocals'));
  assert.deepEqual(
    clipsOf(cutAt).map((clip) => clip.replace(/^\S+ /, '')),
    ['0–4500 from 0', '4500–9000 from 5500'],
  );
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
  assert.equal(exceedsClips(full, one), false);
  const tooMany = { ...split(9001), id: 'y' };
  assert.equal(applyEdit(full, tooMany), full);
  assert.equal(exceedsClips(full, tooMany), true);
});
