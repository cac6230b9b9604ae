import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../testing/clean-up.ts';
import { pause } from '../clock.ts';
import { isAlive } from './is-alive.ts';
import { type ProgramOptions, runProgram } from './program.ts';

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'stem-studio-program-')));
  cleanUp(t, () => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

function run(code: string, options: Partial<ProgramOptions> = {}) {
  const lines: string[] = [];
  const outcome = runProgram({
    command: process.execPath,
    args: ['-e', code],
    cwd: tmpdir(),
    signal: new AbortController().signal,
    timeLimitMs: 60_000,
    onLine: (line) => lines.push(line),
    ...options,
  });
  return { outcome, lines };
}

/** Script of a program that prints its own process id and that of a child process, and never ends. */
const endless = `
  const own = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  console.log(process.pid); console.log(own.pid); setInterval(() => {}, 1000)`;

async function untilGone(pids: readonly string[]): Promise<void> {
  for (const pid of pids) while (isAlive(Number(pid))) await pause(10);
}

test('runs a program in its folder without input and reads its lines until it exits', async (t) => {
  const cwd = await makeFolder(t);
  const { outcome, lines } = run(
    `process.stdin.on('end', () => { console.log(process.cwd()); console.error('a reason'); process.stdout.write('last'); process.exitCode = 3 }).resume()`,
    { cwd },
  );
  assert.deepEqual(await outcome, { kind: 'exited', exitCode: 3, stderrTail: 'a reason\n' });
  assert.deepEqual(lines, [cwd, 'last']);
});

test('reports a missing or non-executable program as missing', async (t) => {
  const folder = await makeFolder(t);
  const path = join(folder, 'program');
  assert.deepEqual(await run('', { command: path }).outcome, { kind: 'missing' });
  await writeFile(path, '#!/bin/sh\nexit 0\n', { mode: 0o644 });
  assert.deepEqual(await run('', { command: path }).outcome, { kind: 'missing' });
  await chmod(path, 0o755);
  assert.deepEqual(await run('', { command: path, args: [] }).outcome, {
    kind: 'exited',
    exitCode: 0,
    stderrTail: '',
  });
});

test('kills a program that exceeds its time limit, with its child processes', async () => {
  const { outcome, lines } = run(endless, { timeLimitMs: 3000 });
  assert.deepEqual(await outcome, { kind: 'overdue' });
  await untilGone(lines);
});

test('kills a program with its child processes on abort', async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const { outcome } = run(endless, {
    signal: stop.signal,
    onLine: (line) => lines.push(line) === 2 && stop.abort(new Error('cancelled')),
  });
  await assert.rejects(outcome, /cancelled/);
  assert.equal(lines.length, 2);
  await untilGone(lines);
  await assert.rejects(run('', { signal: AbortSignal.abort(new Error('too late')) }).outcome, /too late/);
});

test('kills child processes that a program leaves behind', async () => {
  const { outcome, lines } = run(`${endless}; own.unref(); setTimeout(() => process.exit(0), 50)`);
  assert.equal((await outcome).kind, 'exited');
  assert.equal(lines.length, 2);
  await untilGone(lines);
});

test('rejects an endless line before it fills the memory', async () => {
  const { outcome } = run(`const more = () => process.stdout.write('x'.repeat(65536), more); more()`);
  await assert.rejects(outcome, /a line of more than 4000000 bytes/);
});

test('kills the program when the service is killed', async (t) => {
  const folder = await makeFolder(t);
  const module = JSON.stringify(new URL('./program.ts', import.meta.url).href);
  const script = join(folder, 'service.mjs');
  await writeFile(
    script,
    `import { runProgram } from ${module};
     await runProgram({ command: process.execPath, args: ['-e', ${JSON.stringify(endless)}], cwd: ${JSON.stringify(folder)},
       signal: new AbortController().signal, timeLimitMs: 3_600_000, onLine: (line) => console.log(line) });`,
  );
  const service = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUp(t, () => service.kill('SIGKILL'));
  const lines: string[] = [];
  for await (const line of createInterface({ input: service.stdout })) if (lines.push(line) === 2) break;
  assert.equal(lines.length, 2);
  for (const pid of lines) assert.ok(isAlive(Number(pid)));
  const gone = once(service, 'exit');
  service.kill('SIGKILL');
  await gone;
  await untilGone(lines);
});

test('kills the program when its wrapper is killed', async () => {
  const lines: string[] = [];
  const { outcome } = run(
    endless.replace('console.log(process.pid)', 'console.log(process.pid); console.log(process.ppid)'),
    {
      onLine: (line) => lines.push(line) === 3 && process.kill(Number(lines[1]), 'SIGKILL'),
    },
  );
  assert.deepEqual(await outcome, { kind: 'exited', exitCode: -1, stderrTail: '' });
  await untilGone([lines[0] ?? '', lines[2] ?? '']);
});

test("hides the service's secrets from the program", async (t) => {
  process.env['SECRET_KEY'] = 'hunter2';
  t.after(() => delete process.env['SECRET_KEY']);
  const { outcome, lines } = run('console.log(JSON.stringify(process.env))');
  await outcome;
  assert.ok(!lines.join('').includes('hunter2'));
});
