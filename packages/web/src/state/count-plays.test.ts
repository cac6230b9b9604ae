import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayCounter, playedAfter } from './count-plays.ts';

test('a play counts after half a minute, or half of a shorter track', () => {
  assert.equal(playedAfter(240), 30);
  assert.equal(playedAfter(20), 10);
  assert.equal(playedAfter(0), 30);
});

test('counts a track once until another track is played or it begins anew', () => {
  const counted: string[] = [];
  const counter = new PlayCounter((id) => counted.push(id));
  for (let second = 0; second < 100; second++) counter.add('a', 1, 240);
  assert.deepEqual(counted, ['a']);
  for (let second = 0; second < 9; second++) counter.add('b', 1, 20);
  assert.deepEqual(counted, ['a']);
  counter.add('b', 1, 20);
  counter.restart();
  counter.add('b', 10, 20);
  assert.deepEqual(counted, ['a', 'b', 'b']);
});
