import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteLoop, loopsOf, parseSavedLoops, savedLoopsText, saveLoop } from './saved-loops.state.ts';

const loop = (startSeconds: number, name = `at ${startSeconds}`) => ({
  name,
  startSeconds,
  endSeconds: startSeconds + 4,
});

test('loops of a track are kept by their start, and one with the same ends is replaced', () => {
  saveLoop('one', loop(8));
  saveLoop('one', loop(2));
  saveLoop('two', loop(5));
  saveLoop('one', loop(8, 'Chorus'));
  assert.deepEqual(
    loopsOf('one').map(({ name }) => name),
    ['at 2', 'Chorus'],
  );
  deleteLoop('one', loop(2));
  assert.deepEqual(loopsOf('one'), [loop(8, 'Chorus')]);
  assert.deepEqual(loopsOf('two'), [loop(5)]);
  assert.deepEqual(loopsOf('three'), []);
});

test('stored loops are read back', () => {
  const tracks = new Map([['one', [loop(2), loop(8)]]]);
  assert.deepEqual(parseSavedLoops(savedLoopsText(tracks)), tracks);
});

test('text of another format or version contains no loops', () => {
  for (const text of [null, '', '{', '[]', '{"version":2,"tracks":[]}', '{"version":1,"tracks":[{"id":3}]}'])
    assert.equal(parseSavedLoops(text).size, 0, String(text));
});

test('the tracks changed longest ago lose their loops beyond 500', () => {
  const tracks = new Map(Array.from({ length: 502 }, (_, index) => [`t${index}`, [loop(index)]]));
  const kept = parseSavedLoops(savedLoopsText(tracks));
  assert.equal(kept.size, 500);
  assert.deepEqual([kept.has('t1'), kept.has('t2'), kept.has('t501')], [false, true, true]);
});
