import type { TestLifetime } from './test-context.ts';

const stacks = new WeakMap<TestLifetime, AsyncDisposableStack>();

/**
 * Registers work for after the test, run in reverse order: a process ends before its folder is removed.
 *
 * The hooks of node:test run in the order in which they were set, and the first failure skips the rest: a folder that
 * cannot be removed would leave the service running that writes into it. Here all of them run.
 */
export function cleanUp(t: TestLifetime, work: () => unknown): void {
  let stack = stacks.get(t);
  if (!stack) {
    const created = new AsyncDisposableStack();
    stack = created;
    stacks.set(t, created);
    t.after(() => created.disposeAsync());
  }
  stack.defer(async () => void (await work()));
}
