import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edit } from '../resources/edit-operation.ts';
import type { Clip, ProjectState } from '../resources/project.ts';
import { after, clipsOf, cut, laneOf, song, split } from '../testing/song-edits.ts';
import { songMsAt } from './time-map.ts';
import { sourceMsAt, warpOf } from './warp.ts';

const warp = (points: readonly [number, number][], more: object = {}) => ({
  operation: 'warp' as const,
  params: { points: points.map(([from_ms, to_ms]) => ({ from_ms, to_ms })), ...more },
});
/** Time of the source that a clip plays at a position of the timeline. */
const playedAt = (state: ProjectState, clip: Clip, ms: number) =>
  sourceMsAt(warpOf(state, clip), clip.from_ms + ms - clip.start_ms);
const clipAt = (state: ProjectState, ms: number, lane = 'vocals') => {
  const clip = laneOf(state, lane).clips.find(
    ({ start_ms, length_ms }) => start_ms <= ms && ms < start_ms + length_ms,
  );
  assert.ok(clip, `clip at ${ms}`);
  return clip;
};
const sourceAt = (state: ProjectState, ms: number, lane = 'vocals') =>
  playedAt(state, clipAt(state, ms, lane), ms);

test('a warp moves audio to its points and stretches what is between; beyond them it is shifted', () => {
  const state = after(
    song,
    warp([
      [1000, 1000],
      [2000, 3000],
      [4000, 4000],
    ]),
  );
  for (const [ms, sourceMs] of [
    [500, 500],
    [1000, 1000],
    [2000, 1500],
    [3000, 2000],
    [3500, 3000],
    [4000, 4000],
    [9000, 9000],
  ] as const)
    for (const lane of ['vocals', 'drums', 'bass'])
      assert.ok(Math.abs(sourceAt(state, ms, lane) - sourceMs) < 1e-6, `${lane} at ${ms}`);
  assert.deepEqual(clipsOf(state), ['vocals 0–10000 from 0']);
  assert.equal(state.warps.length, 3, 'one for each stem, whatever number of clips it has');
});

test('a warp of everything takes markers and the bars of the song along, one of clips does not', () => {
  const marked = after(song, { operation: 'marker', params: { start_ms: 2000, label: 'Chorus' } });
  const whole = after(
    marked,
    warp([
      [1000, 1000],
      [3000, 5000],
    ]),
  );
  assert.deepEqual(whole.markers, [{ start_ms: 3000, label: 'Chorus' }]);
  assert.equal(songMsAt(whole.time_map, 3000), 2000);
  assert.equal(songMsAt(whole.time_map, 7000), 5000);
  const part = after(
    marked,
    warp(
      [
        [1000, 1000],
        [3000, 5000],
      ],
      { clip_ids: ['drums'] },
    ),
  );
  assert.deepEqual(part.markers, marked.markers);
  assert.equal(part.time_map, marked.time_map);
  assert.deepEqual(clipsOf(part, 'drums'), ['drums 0–12000 from 0']);
  assert.equal(laneOf(part, 'vocals'), laneOf(marked, 'vocals'));
});

test('parts of a clip that is split after it was warped continue each other', () => {
  const state = after(
    song,
    warp([
      [1000, 1000],
      [2000, 3000],
    ]),
    split(2000),
  );
  const [first, second] = laneOf(state, 'vocals').clips;
  assert.ok(first && second);
  assert.equal(first.warp, second.warp);
  assert.equal(playedAt(state, second, 2000), 1500);
  const before = after(
    song,
    split(1500),
    warp([
      [1000, 1000],
      [2000, 3000],
    ]),
  );
  const [one, other] = laneOf(before, 'vocals').clips;
  assert.equal(one?.warp, other?.warp, 'and those that were split before');
  assert.deepEqual(
    clipsOf(before),
    ['vocals 0–2000 from 0', 'b.1 2000–11000 from 2000'].map((text) => text.replace('b.1', other?.id ?? '')),
  );
});

test('a warp on a warp is one warp, and its reverse removes it', () => {
  const there = warp([
    [0, 0],
    [4000, 5000],
  ]);
  const back = warp([
    [0, 0],
    [5000, 4000],
  ]);
  const twice = after(
    song,
    there,
    warp([
      [0, 0],
      [5000, 6000],
    ]),
  );
  assert.ok(Math.abs(sourceAt(twice, 6000) - 4000) < 1e-6);
  assert.equal(twice.warps.length, 3);
  const undone = after(song, there, back);
  assert.deepEqual(undone.warps, []);
  assert.deepEqual(clipsOf(undone), clipsOf(song));
  assert.equal(songMsAt(undone.time_map, 7000), 7000);
});

test('a warp that would play more than four times as fast changes nothing, and one that is sent so is refused', () => {
  const fast = after(
    song,
    warp([
      [0, 0],
      [3000, 1000],
    ]),
  );
  assert.equal(
    after(
      fast,
      warp([
        [0, 0],
        [1000, 500],
      ]),
    ),
    fast,
  );
  const { error } = edit.safeParse(
    warp([
      [0, 0],
      [5000, 1000],
    ]),
  );
  assert.match(error?.issues[0]?.message ?? '', /0.25 or more than 4 times its tempo \(got 5\)/);
  assert.match(
    edit.safeParse(
      warp([
        [1000, 0],
        [500, 1000],
      ]),
    ).error?.issues[0]?.message ?? '',
    /after the point before it/,
  );
});

test('a reversed clip plays the same audio at the same position, and twice reversed is as before', () => {
  const reverse = (value: 0 | 1) => ({
    operation: 'reverse' as const,
    params: { clip_ids: ['vocals'], value },
  });
  const part = after(song, cut(0, 1000), cut(4000, 10_000));
  const clip = laneOf(part, 'vocals').clips[0];
  assert.ok(clip);
  const reversed = after(part, reverse(1));
  const [mirrored] = laneOf(reversed, 'vocals').clips;
  // Its first sample is that of the source at 4 s: 10 s less 6 s.
  assert.deepEqual({ ...mirrored, is_reversed: false }, { ...clip, from_ms: 6000 });
  assert.deepEqual(laneOf(after(reversed, reverse(0)), 'vocals').clips, [clip]);
  const warped = after(
    part,
    warp([
      [1000, 1000],
      [2000, 3000],
    ]),
    reverse(1),
  );
  const [both] = laneOf(warped, 'vocals').clips;
  assert.ok(both);
  assert.equal(10_000 - playedAt(warped, both, 1000), 4000, 'starts at the end of the audio');
  assert.ok(Math.abs(10_000 - playedAt(warped, both, 5000) - 1000) < 1e-6, 'ends at its start');
});

test('transposition is set for clips, for lanes, or for a span of a lane', () => {
  const semitones = (state: ProjectState) => laneOf(state, 'vocals').clips.map((clip) => clip.semitones);
  const lane = after(song, { operation: 'transpose', params: { stem_type: 'vocals', value: -2 } });
  assert.deepEqual(semitones(lane), [-2]);
  assert.equal(laneOf(lane, 'drums'), laneOf(song, 'drums'));
  const span = after(song, { operation: 'transpose', params: { start_ms: 1000, end_ms: 2000, value: 3 } });
  assert.deepEqual(semitones(span), [0, 3, 0]);
});

test('effects are set for lanes, a band of the equaliser alone as well', () => {
  const state = after(
    song,
    { operation: 'eq', params: { stem_type: 'bass', low_db: -6, high_db: 3 } },
    { operation: 'eq', params: { stem_type: 'bass', high_db: 0 } },
    { operation: 'reverb_send', params: { lanes: ['vocals'], value: 30 } },
  );
  assert.deepEqual(laneOf(state, 'bass').eq, { low_db: -6, mid_db: 0, high_db: 0 });
  assert.equal(laneOf(state, 'vocals').reverb_send, 30);
  assert.equal(laneOf(state, 'drums'), laneOf(song, 'drums'));
});
