import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { observeTree, readProcessTimes } from './process-times.ts';
import {
  createEventReader,
  type TestEventReader,
  type TestFailure,
  type TestFileState,
} from './test-events.ts';

/** Time limits of one test file. */
export interface TestFileLimits {
  /** Limit of one test. */
  readonly testSeconds: number;
  /** Limit of the whole file. */
  readonly fileSeconds: number;
  /** Longest time that the process may run after its last test. */
  readonly exitSeconds: number;
}

/** Settings for running test files. */
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
  /** Standard output and error; with the last file of a process. */
  readonly output: string;
  readonly seconds: number;
  /** Processor time of the tests and of everything that they started; without `/proc` of their process only. */
  readonly cpuSeconds: number;
}

const inTestProcess = path.join(import.meta.dirname, '..', 'in-test-process');
const reporter = path.join(inTestProcess, 'event-reporter.ts');
const propertySeed = pathToFileURL(path.join(inTestProcess, 'property-seed.ts')).href;
const asyncHooks = pathToFileURL(path.join(inTestProcess, 'async-hooks.ts')).href;
const severalFiles = path.join(inTestProcess, 'run-files.ts');
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

/** Returns a function that passes to `reader` what was added to the file of the events. */
function followEvents(eventFile: string, reader: TestEventReader): () => void {
  const decoder = new TextDecoder();
  const buffer = Buffer.alloc(2 ** 16);
  let offset = 0;
  return () => {
    if (!existsSync(eventFile)) return;
    const file = openSync(eventFile, 'r');
    try {
      for (let length = -1; length !== 0; offset += length) {
        length = readSync(file, buffer, 0, buffer.length, offset);
        reader.add(decoder.decode(buffer.subarray(0, length), { stream: true }));
      }
    } finally {
      closeSync(file);
    }
  };
}

/** Returns the reason to end a running process, or null. */
function whyEnd(
  states: readonly TestFileState[],
  seconds: number,
  quietSeconds: number,
  limits: TestFileLimits,
): string | null {
  const ended = states.reduce((sum, state) => sum + state.ended, 0);
  const unfinished = states.flatMap((state) => state.unfinished);
  if (ended > 0 && unfinished.length === 0 && quietSeconds > limits.exitSeconds)
    return `its tests ended, but the process did not exit within ${limits.exitSeconds} s: something that a test started is still running`;
  if (seconds <= limits.fileSeconds * states.length) return null;
  return `the file did not end within ${limits.fileSeconds * states.length} s; ended: ${ended} tests, not ended: ${unfinished.join('; ') || 'none'}`;
}

/**
 * Runs test files in one process, one after another, in a process group of their own.
 *
 * Unlike with `node --test`, the run always ends: a process that blocks, ignores SIGTERM or leaves a child with its
 * output open is killed at its limit, with all its child processes, and its files fail with the reason.
 *
 * @param files paths relative to `cwd`
 * @returns one result for each file
 */
export async function runTestFile(
  files: readonly string[],
  { cwd, env, eventFile, limits }: TestFileRun,
): Promise<TestFileResult[]> {
  const started = performance.now();
  const secondsSince = (time: number) => (performance.now() - time) / 1000;
  const child = spawn(
    process.execPath,
    [
      `--import=${asyncHooks}`,
      `--import=${propertySeed}`,
      `--test-timeout=${limits.testSeconds * 1000}`,
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${eventFile}`,
      ...(files.length > 1 ? [severalFiles] : []),
      ...files,
    ],
    {
      cwd,
      // A runner that is itself tested by `node --test` would pass on the format of that one's reports.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
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

  const reader = createEventReader(files);
  const readEvents = followEvents(eventFile, reader);
  const tree = observeTree(child.pid ?? 0);
  let reason: string | null = null;
  let [endedBefore, lastEnd] = [0, performance.now()];
  const watch = setInterval(() => {
    tree.observe(readProcessTimes());
    readEvents();
    const states = reader.files();
    const ended = states.reduce((sum, state) => sum + state.ended, 0);
    if (ended > endedBefore) [endedBefore, lastEnd] = [ended, performance.now()];
    reason = whyEnd(states, secondsSince(started), secondsSince(lastEnd), limits);
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
  readEvents();
  const end = { reason, output, seconds: secondsSince(started), treeSeconds: tree.seconds() };
  return toResults(files, child, reader, end);
}

/** Returns why a process that ended by itself counts as failed, or null. */
function whyBroken(child: ChildProcess, reader: TestEventReader): string | null {
  const end = child.signalCode ?? `exit code ${child.exitCode}`;
  const states = reader.files();
  const summary = reader.summary();
  if (summary === null) return `the process ended before its tests did, or has none (${end})`;
  const counted = states.reduce((sum, { counts }) => sum + counts.passed + counts.failed + counts.skipped, 0);
  if (counted !== summary.tests) return `${summary.tests} tests were run, but ${counted} ended`;
  if (child.exitCode !== 0 && states.every(({ failures }) => failures.length === 0))
    return `the process failed (${end})`;
  return null;
}

/** Returns why a file counts as failed although the process ended well, or null. */
function whyFileFailed({ counts, ended }: TestFileState): string | null {
  if (counts.skipped > 0) return 'skipped tests count as failed';
  return ended === 0 ? 'the process ended before its tests did, or has none (exit code 0)' : null;
}

function toResults(
  files: readonly string[],
  child: ChildProcess,
  reader: TestEventReader,
  end: { reason: string | null; output: string; seconds: number; treeSeconds: number },
): TestFileResult[] {
  const states = reader.files();
  const broken = end.reason ?? whyBroken(child, reader);
  // What the process reports lacks what it has not waited for; the last observation may be some seconds old.
  const reported = states.reduce((sum, state) => sum + state.cpuSeconds, 0);
  const cpuSeconds = Math.max(reader.summary()?.cpuSeconds ?? 0, end.treeSeconds);
  return files.map((file, index): TestFileResult => {
    const state = states[index];
    if (!state) throw new Error(`no state of ${file}`);
    const { counts, failures, ended, unfinished } = state;
    // A process that broke fails the files that it had not finished, or all if it had finished all.
    const isFinished = ended > 0 && unfinished.length === 0 && failures.length === 0;
    const isSpared = isFinished && states.some((other) => other.ended === 0 || other.unfinished.length > 0);
    const reason = broken !== null && !isSpared ? broken : whyFileFailed(state);
    const all =
      reason === null ? failures : [...failures, { name: path.basename(file), where: `${file}:1`, reason }];
    const isOnly = files.length === 1;
    return {
      file,
      passed: counts.passed,
      failed: Math.max(all.length, counts.failed + counts.skipped),
      failures: all,
      output: index === files.length - 1 ? end.output : '',
      seconds: isOnly ? end.seconds : state.seconds,
      cpuSeconds:
        isOnly || reported === 0 ? cpuSeconds / files.length : (cpuSeconds * state.cpuSeconds) / reported,
    };
  });
}
