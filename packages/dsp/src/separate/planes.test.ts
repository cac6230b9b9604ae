import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlaneLender } from './planes.ts';

test('what was given back is lent again, as zeros and in the length that is asked for', () => {
  const planes = createPlaneLender();
  const first = planes.take(100).fill(7);
  planes.give(first);
  const second = planes.take(80);
  assert.equal(second.buffer, first.buffer);
  assert.deepEqual(second, new Float32Array(80));
  planes.give(second);
  assert.equal(planes.take(100).buffer, first.buffer);
});

test('what is lent is lent to nobody else', () => {
  const planes = createPlaneLender();
  assert.notEqual(planes.take(10).buffer, planes.take(10).buffer);
});

test('the smallest that is large enough is lent, and a larger one replaces one that is too small', () => {
  const planes = createPlaneLender();
  const [small, large] = [planes.take(10), planes.take(1000)];
  planes.give(large, small);
  assert.equal(planes.take(5).buffer, small.buffer);
  planes.give(small);
  const lent = [planes.take(500), planes.take(500), planes.take(5)];
  assert.equal(lent[0]?.buffer, large.buffer);
  assert.notEqual(lent[2]?.buffer, small.buffer);
});
