import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import { createAnimationLoop } from './animation-loop.ts';

/** A scope whose animation frames are triggered by the test. */
class ManualScope extends Scope {
  readonly running = new Set<(timeMs: number) => void>();
  override onAnimationFrame(draw: (timeMs: number) => void): () => void {
    this.running.add(draw);
    return () => void this.running.delete(draw);
  }
}

test('draws all participants in one frame callback, and requests no frames while there are none', () => {
  const scope = new ManualScope();
  const animation = createAnimationLoop(scope);
  const drawn: string[] = [];
  const one = new Scope();
  const other = new Scope();
  assert.equal(scope.running.size, 0);
  animation.add(one, () => drawn.push('one'));
  animation.add(other, () => drawn.push('other'));
  assert.equal(scope.running.size, 1);
  for (const draw of scope.running) draw(0);
  assert.deepEqual(drawn, ['one', 'other']);
  one.dispose();
  for (const draw of scope.running) draw(16);
  assert.deepEqual(drawn, ['one', 'other', 'other']);
  other.dispose();
  assert.equal(scope.running.size, 0);
  animation.add(new Scope(), () => drawn.push('again'));
  assert.equal(scope.running.size, 1);
});
