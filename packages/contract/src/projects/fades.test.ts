import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edit } from '../resources/edit-operation.ts';
import { after, clipsOf, fadesOf, laneOf, song, split, volumesOf } from '../testing/song-edits.ts';

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
