import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { pause } from '../clock.ts';
import { isAlive } from './is-alive.ts';
import { ChildProcessError, type NdjsonOptions, runNdjson } from './ndjson-process.ts';

const message = z.object({ n: z.number() });

function run(code: string, options: Partial<NdjsonOptions<{ n: number }>> = {}) {
  const received: number[] = [];
  const outcome = runNdjson({
    command: process.execPath,
    args: ['-e', code],
    input: { a: 1 },
    message,
    signal: new AbortController().signal,
    stallMs: 20_000,
    onMessage: ({ n }) => received.push(n),
    ...options,
  });
  return { outcome, received };
}

test('sends one line to the child and reads its lines until it exits', async () => {
  const { outcome, received } = run(`
    process.stdin.once('data', (text) => {
      const { a } = JSON.parse(text);
      process.stdout.write('{"n":' + a + '}\\n{"n"');
      setTimeout(() => { process.stdout.write(':2}\\n\\n{"n":3}'); console.error('warned'); process.exitCode = 3; process.stdin.destroy(); }, 20);
    });`);
  assert.deepEqual(await outcome, { exitCode: 3, stderrTail: 'warned\n' });
  assert.deepEqual(received, [1, 2, 3]);
});

test('kills the child after an invalid line', async () => {
  for (const line of ['nonsense', '{"m":1}', '[]']) {
    const { outcome } = run(`console.log(${JSON.stringify(line)}); setInterval(() => {}, 1000)`);
    await assert.rejects(
      outcome,
      (error: unknown) => error instanceof ChildProcessError && /no message/.test(error.message),
    );
  }
});

test('rejects with the error that the listener throws', async () => {
  const { outcome } = run(`console.log('{"n":1}'); setInterval(() => {}, 1000)`, {
    onMessage: () => {
      throw new Error('mine');
    },
  });
  await assert.rejects(outcome, /^Error: mine$/);
});

test('kills a child that writes nothing', async () => {
  const { outcome } = run('setInterval(() => {}, 1000)', { stallMs: 50 });
  await assert.rejects(outcome, /silent for 0.05 s/);
});

test('kills the child and its child processes on abort', async () => {
  const stop = new AbortController();
  const pids: number[] = [];
  const { outcome } = run(
    `const grandchild = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
     console.log(JSON.stringify({ n: grandchild.pid })); setInterval(() => {}, 1000)`,
    {
      signal: stop.signal,
      onMessage: ({ n }) => {
        pids.push(n);
        stop.abort(new Error('cancelled'));
      },
    },
  );
  await assert.rejects(outcome, /cancelled/);
  while (isAlive(pids[0] ?? 0)) await pause(10);
});

test('rejects for a missing program and for an aborted signal', async () => {
  await assert.rejects(run('', { command: '/nowhere/program' }).outcome, /could not be run/);
  const { outcome } = run('', { signal: AbortSignal.abort(new Error('too late')) });
  await assert.rejects(outcome, /too late/);
});

test("hides the service's secrets from the child", async (t) => {
  process.env['SECRET_KEY'] = 'hunter2';
  t.after(() => delete process.env['SECRET_KEY']);
  const { outcome, received } = run(
    `console.log(JSON.stringify({ n: process.env.SECRET_KEY ? 1 : Number(process.env.GIVEN) })); process.stdin.destroy()`,
    {
      env: { GIVEN: '5' },
    },
  );
  await outcome;
  assert.deepEqual(received, [5]);
});
