import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { acquireMachineLock } from './machine-lock.ts';

const never = new AbortController().signal;
const mustNotWait = (): void => assert.fail('the lock is free');

/** Starts a process that acquires the lock, prints a line, and holds it until it is killed. */
async function holdElsewhere(queue: string): Promise<() => void> {
  const module = new URL('./machine-lock.ts', import.meta.url).href;
  const script = `const { acquireMachineLock } = await import(${JSON.stringify(module)});
    await acquireMachineLock(${JSON.stringify(queue)}, { signal: new AbortController().signal, onWait() {} });
    console.log('taken');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  return () => child.kill('SIGKILL');
}

test('one process at a time holds the lock, and each that waits acquires it', async () => {
  const queue = `lock-test-${process.pid}`;
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const lock = await acquireMachineLock(queue, { signal: never, onWait() {} });
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
      await lock.release();
    }),
  );
  assert.equal(most, 1);
  await (await acquireMachineLock(queue, { signal: never, onWait: mustNotWait })).release();
});

test('another process holds the lock until it ends, also when it is killed', async () => {
  const queue = `lock-kill-${process.pid}`;
  const kill = await holdElsewhere(queue);
  let waits = 0;
  const taking = acquireMachineLock(queue, {
    signal: never,
    onWait() {
      waits++;
      kill();
    },
  });
  await (await taking).release();
  assert.ok(waits >= 1);
});

test('an aborted wait leaves the queue and does not disturb the holder', async () => {
  const queue = `lock-stop-${process.pid}`;
  const lock = await acquireMachineLock(queue, { signal: never, onWait: mustNotWait });
  const stopping = new AbortController();
  const waiting = acquireMachineLock(queue, {
    signal: stopping.signal,
    onWait: () => setImmediate(() => stopping.abort(new Error('no longer'))),
  });
  await assert.rejects(waiting, /no longer/);
  await lock.release();
});

test('the holder is notified of a waiting process, at once or when it comes', async () => {
  for (const comesFirst of [true, false]) {
    const queue = `lock-requested-${process.pid}`;
    const lock = await acquireMachineLock(queue, { signal: never, onWait: mustNotWait });
    const waits = Promise.withResolvers<void>();
    const wait = () => acquireMachineLock(queue, { signal: never, onWait: () => waits.resolve() });
    const early = comesFirst ? wait() : null;
    if (early) await waits.promise;
    const requested = new Promise<void>((resolve) => lock.onRequested(resolve));
    const waiting = early ?? wait();
    await requested;
    lock.onRequested(null);
    await lock.release();
    await (await waiting).release();
  }
});
