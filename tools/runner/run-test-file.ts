import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readTestEvents, type TestFailure, type TestFileState } from './test-events.ts';

/** Time limits of one test file. */
export interface TestFileLimits {
  /** Limit of one test. */
  readonly testSeconds: number;
  /** Limit of the whole file. */
  readonly fileSeconds: number;
  /** Longest time that the process may run after its last test. */
  readonly exitSeconds: number;
}

/** Settings for running a test file. */
export interface TestFileRun {
  readonly cwd: string;
  /** Variables added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Path of the file that receives the events; must not exist. */
  readonly eventFile: string;
  readonly limits: TestFileLimits;
}

/** Result of a test file. */
export interface TestFileResult {
  readonly file: string;
  readonly passed: number;
  /** Includes skipped tests, which are not allowed. */
  readonly failed: number;
  readonly failures: readonly TestFailure[];
  /** Standard output and error. */
  readonly output: string;
  readonly seconds: number;
  /** Processor time of the test's process, without its children. */
  readonly cpuSeconds: number;
}

const reporter = path.join(import.meta.dirname, '..', 'in-test-process', 'event-reporter.ts');
const propertySeed = pathToFileURL(
  path.join(import.meta.dirname, '..', 'in-test-process', 'property-seed.ts'),
).href;
const running = new Set<ChildProcess>();

/** Sends a signal to the process group of a child. Processes that left the group are not reached. */
function killTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // The process group no longer exists.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Sends a signal to every running test file. */
export function killRunningFiles(signal: NodeJS.Signals): void {
  for (const child of running) killTree(child, signal);
}

function readState(eventFile: string): TestFileState {
  try {
    return readTestEvents(readFileSync(eventFile, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return readTestEvents('');
    throw error;
  }
}

/** Returns the reason to end a running process, or null. */
function whyEnd(state: TestFileState, seconds: number, quietSeconds: number, limits: TestFileLimits) {
  const { ended, unfinished } = state;
  if (ended > 0 && unfinished.length === 0 && quietSeconds > limits.exitSeconds)
    return `its tests ended, but the process did not exit within ${limits.exitSeconds} s: something that a test started is still running`;
  if (seconds <= limits.fileSeconds) return null;
  return `the file did not end within ${limits.fileSeconds} s; ended: ${ended} tests, not ended: ${unfinished.join('; ') || 'none'}`;
}

/**
 * Runs one test file in its own process group.
 *
 * Unlike with `node --test`, the run of a file always ends: a process that blocks, ignores SIGTERM or leaves a child
 * with its output open is killed at its limit, with all its child processes, and the file fails with the reason.
 *
 * @param file path relative to `cwd`
 */
export async function runTestFile(
  file: string,
  { cwd, env, eventFile, limits }: TestFileRun,
): Promise<TestFileResult> {
  const started = performance.now();
  const secondsSince = (time: number) => (performance.now() - time) / 1000;
  const child = spawn(
    process.execPath,
    [
      `--import=${propertySeed}`,
      `--test-timeout=${limits.testSeconds * 1000}`,
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${eventFile}`,
      file,
    ],
    {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    },
  );
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
  const exited = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => resolve());
  });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));

  let reason: string | null = null;
  let [endedBefore, lastEnd] = [0, performance.now()];
  const watch = setInterval(() => {
    const state = readState(eventFile);
    if (state.ended > endedBefore) [endedBefore, lastEnd] = [state.ended, performance.now()];
    reason = whyEnd(state, secondsSince(started), secondsSince(lastEnd), limits);
    if (reason === null) return;
    clearInterval(watch);
    killTree(child, 'SIGKILL');
  }, 1000);
  try {
    await exited;
    killTree(child, 'SIGKILL');
    await Promise.race([closed, pause(1000, undefined, { ref: false })]);
  } finally {
    clearInterval(watch);
    running.delete(child);
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  }
  const state = readState(eventFile);
  return toResult(file, state, reason ?? whyBroken(child, state), output, secondsSince(started));
}

/** Returns why a process that ended by itself counts as failed, or null. */
function whyBroken(child: ChildProcess, { counts, failures }: TestFileState): string | null {
  const end = child.signalCode ?? `exit code ${child.exitCode}`;
  if (counts === null) return `the process ended before its tests did, or has none (${end})`;
  if (child.exitCode !== 0 && failures.length === 0) return `the process failed (${end})`;
  if (counts.skipped + counts.todo > 0) return 'skipped tests count as failed';
  return null;
}

function toResult(
  file: string,
  { counts, failures, ended, cpuSeconds }: TestFileState,
  reason: string | null,
  output: string,
  seconds: number,
): TestFileResult {
  const all =
    reason === null ? failures : [...failures, { name: path.basename(file), where: `${file}:1`, reason }];
  const skipped = counts ? counts.skipped + counts.todo : 0;
  return {
    file,
    passed: counts?.passed ?? Math.max(0, ended - failures.length),
    failed: Math.max(all.length, counts ? counts.failed + counts.cancelled + skipped : 1, 0),
    failures: all,
    output,
    seconds,
    cpuSeconds,
  };
}
