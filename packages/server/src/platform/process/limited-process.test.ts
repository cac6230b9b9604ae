import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { eventually } from '../../testing/eventually.ts';
import { isAlive } from './is-alive.ts';
import { type ProcessOptions, runInProcess } from './limited-process.ts';
import { ProcessLimitError, type ProcessLimits } from './process-limits.ts';

const main = JSON.stringify(new URL('serve-process.ts', import.meta.url).href);
const moduleOf = (body: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { serveProcess } from ${main}; serveProcess(${body});`)}`,
  );
const limits: ProcessLimits = {
  subject: 'the file',
  memoryMb: 300,
  stallMs: 60_000,
  totalMs: 60_000,
  outputBytes: 1_000_000,
};

function run<Result>(body: string, options: Partial<ProcessOptions> = {}): Promise<Result> {
  const signal = new AbortController().signal;
  return runInProcess<Result>({ module: moduleOf(body), input: null, limits, signal, ...options });
}

const isLimit = (passed: string, message: RegExp) => (error: unknown) =>
  error instanceof ProcessLimitError && error.passed === passed && message.test(error.message);

test('returns bytes and numbers, reports progress, and handles the next input in the same process', async () => {
  const body =
    '(input, report) => { report(0.5); return { pid: process.pid, bytes: new Uint8Array([1, input]) }; }';
  const progress: unknown[] = [];
  const first = await run<{ pid: number; bytes: Uint8Array }>(body, {
    input: 2,
    onProgress: (fraction) => progress.push(fraction),
  });
  assert.deepEqual([...first.bytes], [1, 2]);
  assert.deepEqual(progress, [0.5]);
  const second = await run<{ pid: number; bytes: Uint8Array }>(body, { input: 3 });
  assert.deepEqual([second.pid, ...second.bytes], [first.pid, 1, 3]);
});

test('keeps message and system code of an error that the module throws, and keeps the process', async () => {
  const body = `(input) => {
    if (input === 0) return process.pid;
    throw Object.assign(new Error('no space'), input === 1 ? { code: 'ENOSPC', syscall: 'write' } : { isRetryable: true });
  }`;
  const pid = await run<number>(body, { input: 0 });
  await assert.rejects(run(body, { input: 1 }), { message: 'no space', code: 'ENOSPC' });
  await assert.rejects(run(body, { input: 2 }), { message: 'no space', isRetryable: true });
  assert.equal(await run<number>(body, { input: 0 }), pid);
});

test('kills a parser that exceeds the memory limit with buffers or objects', async () => {
  const buffers =
    '() => { const all = []; for (;;) { all.push(new Uint8Array(1e6).fill(1)); if (all.length > 4000) return 0; } }';
  await assert.rejects(run(buffers), isLimit('memory', /^the file needs more than 300 MB of memory/));
  const objects = '() => { const all = []; for (;;) all.push({ text: String(all.length) }); }';
  await assert.rejects(run(objects), isLimit('memory', /300 MB/));
});

test('kills a parser that exceeds the time limit or stops reporting progress', async () => {
  const forever = '() => { for (;;); }';
  await assert.rejects(run(forever, { limits: { ...limits, totalMs: 100 } }), isLimit('time', /0\.1 s/));
  const stalls = '(_input, report) => { report(1); return new Promise(() => {}); }';
  await assert.rejects(
    run(stalls, { limits: { ...limits, stallMs: 500 } }),
    isLimit('stall', /no progress for 0\.5 s/),
  );
});

test('rejects a result that is too large', async () => {
  const body = '() => new Uint8Array(2_000_000)';
  await assert.rejects(run(body), isLimit('output', /more than 1 MB of results/));
});

test('reports a process that exits without a result as a retryable crash', async () => {
  await assert.rejects(
    run('() => process.exit(3)'),
    (error: unknown) => isLimit('crash', /exit code 3/)(error) && (error as ProcessLimitError).isRetryable,
  );
});

test('kills the process and its child processes on abort', async () => {
  const stop = new AbortController();
  const pids: number[] = [];
  const body = `async (_input, report) => {
    const { spawn } = await import('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    report([process.pid, child.pid]);
    for (;;);
  }`;
  const running = run(body, {
    signal: stop.signal,
    onProgress(both) {
      pids.push(...(both as number[]));
      stop.abort(new Error('cancelled'));
    },
  });
  await assert.rejects(running, /cancelled/);
  await eventually(
    () => pids.filter(isAlive),
    (alive) => pids.length === 2 && alive.length === 0,
  );
});

test('ends a busy process when the service is killed', async () => {
  const module = moduleOf('(_input, report) => { report(process.pid); for (;;); }').href;
  const service = new URL('limited-process.ts', import.meta.url).href;
  const code = `
    const { runInProcess } = await import(${JSON.stringify(service)});
    await runInProcess({ module: new URL(${JSON.stringify(module)}), input: null, limits: ${JSON.stringify(limits)},
      signal: new AbortController().signal, onProgress: (pid) => console.log(pid) });`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(text.toString());
  assert.ok(isAlive(pid));
  parent.kill('SIGKILL');
  await eventually(
    () => isAlive(pid),
    (alive) => !alive,
  );
});

test("hides the service's secrets from the process", async (t) => {
  process.env['SECRET_KEY'] = 'hunter2';
  t.after(() => delete process.env['SECRET_KEY']);
  assert.equal(await run<boolean>("() => 'SECRET_KEY' in process.env"), false);
});
