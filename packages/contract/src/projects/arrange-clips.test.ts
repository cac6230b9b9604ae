import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edit } from '../resources/edit-operation.ts';
import { after, clipsOf, fadesOf, laneOf, move, song, split } from '../testing/song-edits.ts';

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

test('a split within a crossfade turns it into a cut', () => {
  const crossfaded = after(song, split(5000, 'vocals'), move(['a.1'], 4000));
  assert.deepEqual(clipsOf(crossfaded), ['vocals 0–5000 from 0', 'a.1 4000–9000 from 5000']);
  const cutAt = after(crossfaded, split(4500, 'vocals'));
  assert.deepEqual(
    clipsOf(cutAt).map((clip) => clip.replace(/^\S+ /, '')),
    ['0–4500 from 0', '4500–9000 from 5500'],
  );
});
