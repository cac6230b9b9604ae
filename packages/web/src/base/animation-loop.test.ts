import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import { createAnimationLoop } from './animation-loop.ts';

/** A scope whose animation frames and timers are triggered by the test. */
class ManualScope extends Scope {
  readonly running = new Set<(timeMs: number) => void>();
  readonly timers = new Map<() => void, number>();
  override onAnimationFrame(draw: (timeMs: number) => void): () => void {
    this.running.add(draw);
    return () => void this.running.delete(draw);
  }
  override after(ms: number, due: () => void): () => void {
    this.timers.set(due, ms);
    return () => void this.timers.delete(due);
  }
  frame(timeMs: number): void {
    for (const draw of this.running) draw(timeMs);
  }
  /** Lets all timers expire and returns their times in ms. */
  expire(): number[] {
    const due = [...this.timers];
    this.timers.clear();
    for (const [run] of due) run();
    return due.map(([, ms]) => ms);
  }
}

test('draws all participants in one frame callback, and requests no frames while there are none', () => {
  const scope = new ManualScope();
  const animation = createAnimationLoop(scope);
  const drawn: string[] = [];
  const one = new Scope();
  const other = new Scope();
  assert.equal(scope.running.size, 0);
  animation.add(one, () => drawn.push('one') > 0);
  animation.add(other, () => drawn.push('other') > 0);
  assert.equal(scope.running.size, 1);
  scope.frame(0);
  assert.deepEqual(drawn, ['one', 'other']);
  one.dispose();
  scope.frame(16);
  assert.deepEqual(drawn, ['one', 'other', 'other']);
  other.dispose();
  assert.equal(scope.running.size, 0);
  animation.add(new Scope(), () => drawn.push('again') > 0);
  assert.equal(scope.running.size, 1);
});

test('checks ten times a second while nothing changes, and draws every frame again after a change', () => {
  const scope = new ManualScope();
  const animation = createAnimationLoop(scope);
  let hasChanged = true;
  let draws = 0;
  animation.add(new Scope(), () => {
    draws++;
    return hasChanged;
  });
  scope.frame(0);
  hasChanged = false;
  for (const timeMs of [16, 250, 499]) scope.frame(timeMs);
  assert.equal(scope.running.size, 1);
  scope.frame(500);
  assert.equal(scope.running.size, 0);
  // One frame for each check while nothing changes.
  assert.deepEqual(scope.expire(), [100]);
  scope.frame(616);
  assert.equal(scope.running.size, 0);
  assert.deepEqual(scope.expire(), [100]);
  hasChanged = true;
  scope.frame(732);
  assert.equal(scope.running.size, 1);
  assert.equal(scope.timers.size, 0);
  assert.equal(draws, 7);
});

test('a resting loop draws in the next frame when it is woken', () => {
  const scope = new ManualScope();
  const animation = createAnimationLoop(scope);
  const owner = new Scope();
  animation.add(owner, () => false);
  scope.frame(0);
  scope.frame(500);
  assert.equal(scope.running.size, 0);
  animation.wake();
  assert.equal(scope.running.size, 1);
  assert.equal(scope.timers.size, 0);
  scope.frame(1000);
  scope.frame(1499);
  assert.equal(scope.running.size, 1);
  scope.frame(1500);
  assert.equal(scope.running.size, 0);
  owner.dispose();
  assert.equal(scope.timers.size, 0);
  animation.wake();
  assert.equal(scope.running.size, 0);
});
