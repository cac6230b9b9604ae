import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { takeMachineTurn } from './machine-turn.ts';

const never = new AbortController().signal;
const nobody = (): void => assert.fail('nobody should have to wait');

/** A process that takes a turn, says so, and keeps it until it is killed. */
async function holdElsewhere(queue: string): Promise<() => void> {
  const module = new URL('./machine-turn.ts', import.meta.url).href;
  const script = `const { takeMachineTurn } = await import(${JSON.stringify(module)});
    await takeMachineTurn(${JSON.stringify(queue)}, { signal: new AbortController().signal, onWait() {} });
    console.log('taken');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  return () => child.kill('SIGKILL');
}

test('a turn is taken by one at a time, and each who waits gets it', async () => {
  const queue = `turn-test-${process.pid}`;
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const turn = await takeMachineTurn(queue, { signal: never, onWait() {} });
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
      await turn.release();
    }),
  );
  assert.equal(most, 1);
  await (await takeMachineTurn(queue, { signal: never, onWait: nobody })).release();
});

test('another process keeps the turn until it ends, also when it is killed', async () => {
  const queue = `turn-kill-${process.pid}`;
  const kill = await holdElsewhere(queue);
  let waits = 0;
  const taking = takeMachineTurn(queue, {
    signal: never,
    onWait() {
      waits++;
      kill();
    },
  });
  await (await taking).release();
  assert.ok(waits >= 1);
});

test('who waits and is told to stop leaves the queue, and the turn stays where it is', async () => {
  const queue = `turn-stop-${process.pid}`;
  const turn = await takeMachineTurn(queue, { signal: never, onWait: nobody });
  const stopping = new AbortController();
  const waiting = takeMachineTurn(queue, {
    signal: stopping.signal,
    onWait: () => setImmediate(() => stopping.abort(new Error('no longer'))),
  });
  await assert.rejects(waiting, /no longer/);
  await turn.release();
});

test('who has the turn is told that somebody waits for it: at once, or when somebody comes', async () => {
  for (const comesFirst of [true, false]) {
    const queue = `turn-asked-${process.pid}`;
    const turn = await takeMachineTurn(queue, { signal: never, onWait: nobody });
    const waits = Promise.withResolvers<void>();
    const wait = () => takeMachineTurn(queue, { signal: never, onWait: () => waits.resolve() });
    const early = comesFirst ? wait() : null;
    if (early) await waits.promise;
    const asked = new Promise<void>((resolve) => turn.onAsked(resolve));
    const waiting = early ?? wait();
    await asked;
    turn.onAsked(null);
    await turn.release();
    await (await waiting).release();
  }
});
