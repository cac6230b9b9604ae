import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from './scope.ts';

test('a disposed scope leaves no listener, timer or node', () => {
  const scope = new Scope();
  const target = new EventTarget();
  let calls = 0;
  let disconnected = 0;
  scope.listen(target, 'tick', () => calls++);
  scope.after(60_000, () => calls++);
  scope.every(60_000, () => calls++);
  scope.node({ disconnect: () => disconnected++ });
  scope.child().own(() => disconnected++);
  target.dispatchEvent(new Event('tick'));
  assert.equal(calls, 1);
  assert.equal(scope.size, 5);

  scope.dispose();
  target.dispatchEvent(new Event('tick'));
  assert.equal(calls, 1);
  assert.equal(disconnected, 2);
  assert.equal(scope.size, 0);
  assert.equal(scope.signal.aborted, true);
});

test('resources are released newest first and only once', () => {
  const scope = new Scope();
  const order: string[] = [];
  scope.own(() => order.push('first'));
  const release = scope.own(() => order.push('second'));
  scope.own(() => order.push('third'));
  release();
  release();
  scope.dispose();
  scope.dispose();
  assert.deepEqual(order, ['second', 'third', 'first']);
});

test('a disposed child is no longer held', () => {
  const scope = new Scope();
  scope.child().dispose();
  assert.equal(scope.size, 0);
});

test('releases resources at once after disposal', () => {
  const scope = new Scope();
  scope.dispose();
  let released = 0;
  scope.own(() => released++);
  assert.equal(released, 1);
  assert.equal(scope.size, 0);
});

test('a timer that has run is no longer held', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const scope = new Scope();
  let runs = 0;
  scope.after(10, () => runs++);
  t.mock.timers.tick(10);
  assert.equal(runs, 1);
  assert.equal(scope.size, 0);
});
