// `node tools/test.ts STAGE…` runs the named stages at the same time, continues after failures, and ends with the line
// "N passed, N failed".
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { useDependencies } from './bootstrap/dependency-users.mjs';
import { ensurePage } from './bootstrap/page.mjs';
import { Stop } from './bootstrap/say.mjs';
import { ensureBrowser } from './browser.ts';
import { checkTasks } from './check.ts';
import { root } from './command.ts';
import { memoryFolder } from './memory-folder.ts';
import type { PoolLimits, PoolTask } from './runner/pool.ts';
import { createCapacityMeter } from './runner/processor-load.ts';
import { killRunningFiles } from './runner/run-test-file.ts';
import { type FileBatch, runTestFiles, type StagedFile } from './runner/run-test-files.ts';

interface Counts {
  passed: number;
  failed: number;
}

interface TestStage {
  about: string;
  patterns: readonly string[];
  /**
   * Limit of one test, and a third of the limit of its file. A test that exceeds it is killed with all its processes
   * and fails.
   */
  timeoutSeconds: number;
  /** Seed of the property tests. */
  seed: number;
  /** Whether the test runner follows every promise to name the test of an uncaught error; `describe` needs it. */
  hasAsyncHooks: boolean;
  /** Returns whether a file belongs to the stage, based on its text. */
  takes?: (text: string) => boolean;
  /**
   * Parts of the names of slow files, slowest first. They start first, each in its own process; otherwise one of them
   * may run alone at the end.
   */
  first?: readonly string[];
  prepare?(): Promise<void>;
}

// Every test file and every program that a test starts loads the same few hundred modules. The compile cache is in the
// checkout, so that each checkout has its own.
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules', '.cache', 'node-compile-cache');
// Databases and audio of tests live for seconds: in memory they need no journal.
process.env.TMPDIR ??= memoryFolder() ?? tmpdir();

/** Fixed seed, so that everyone can repeat a run. */
const fixedSeed = 20_261_122;
const unitPatterns = [
  'tools',
  'bench',
  'packages/contract',
  'packages/dsp',
  'packages/renderer',
  'packages/audio',
  'packages/web',
  'packages/separator',
].map((folder) => `${folder}/**/*.test.{ts,tsx}`);

const stages: Readonly<Record<string, TestStage>> = {
  unit: {
    about: 'unit tests',
    patterns: unitPatterns,
    timeoutSeconds: 180,
    seed: fixedSeed,
    hasAsyncHooks: true,
    first: ['onnx.test', 'separator/src/main.test', 'start-frame', 'key-lock'],
  },
  properties: {
    about: 'property tests',
    patterns: unitPatterns,
    timeoutSeconds: 180,
    seed: Number(process.env.PROPERTY_SEED ?? randomInt(2 ** 31)),
    hasAsyncHooks: true,
    // A property with a seed of its own would only repeat the same values.
    takes: (text) => text.includes("from 'fast-check'") && !/\bseed: \d/.test(text),
  },
  server: {
    about: 'service tests',
    patterns: ['packages/server/**/*.test.ts'],
    timeoutSeconds: 300,
    seed: fixedSeed,
    hasAsyncHooks: false,
    first: [
      'who-may',
      'audio-commands',
      'networks.test',
      'kill-rounds',
      'cloud-failures',
      'own-postgres',
      'network-downloads',
      'fuzz-surface',
      'backup-command',
      'studio.test',
      'networks-command',
      'receive-by-search',
      'storage-command',
      'exports.test',
      'separations.test',
      'separation-rest',
      'quotas.test',
      'backup/backup.test',
    ],
  },
  e2e: {
    about: 'browser tests',
    patterns: ['e2e/**/*.test.ts'],
    timeoutSeconds: 900,
    seed: fixedSeed,
    hasAsyncHooks: false,
    first: ['dj.test', 'dj-stage', 'dj-safety', 'kills'],
    async prepare() {
      await ensurePage(process.execPath);
      await ensureBrowser();
    },
  },
};

function listTests({ patterns, takes }: TestStage): string[] {
  return globSync(patterns, {
    cwd: root,
    exclude: (file) => /(^|[\\/])(node_modules|dist)$/.test(file),
  })
    .filter((file) => takes?.(readFileSync(path.join(root, file), 'utf8')) ?? true)
    .sort();
}

/** Order of the stages after their slow files: tests that mostly wait start early, those that compute fill the end. */
const stageOrder = ['e2e', 'server', 'unit', 'properties'];

/** Sorts test files in the order of their start. */
function inOrder(files: readonly StagedFile[]): StagedFile[] {
  const rank = ({ file, stage }: StagedFile): number => {
    const first = stages[stage]?.first ?? [];
    const index = first.findIndex((part) => file.includes(part));
    const isSlow = index !== -1;
    return isSlow ? index : 1000 * (1 + stageOrder.indexOf(stage));
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}

/** Largest number of files that run in one process, by stage; others run alone. */
const batchSizes: Readonly<Record<string, number>> = { server: 12, e2e: 4, unit: 16, properties: 16 };
/** Text of files that change something of their process, count its children or measure its memory. */
const needsOwnProcess =
  /^ *(before|after|beforeEach|afterEach)\(|process\.(env|exitCode|once?\()|mock\.|globalThis|childProcesses|memoryUsage|^await /m;

/** Joins small files of a stage that may share a process, in their order. */
function inBatches(files: readonly StagedFile[]): FileBatch[] {
  const batches: [StagedFile, ...StagedFile[]][] = [];
  const open = new Map<string, [StagedFile, ...StagedFile[]]>();
  for (const staged of files) {
    const { file, stage } = staged;
    const isSlow = stages[stage]?.first?.some((part) => file.includes(part)) ?? false;
    const isAlone = isSlow || needsOwnProcess.test(readFileSync(path.join(root, file), 'utf8'));
    const batch = isAlone ? undefined : open.get(stage);
    if (batch && batch.length < (batchSizes[stage] ?? 1)) {
      batch.push(staged);
      continue;
    }
    const begun: [StagedFile, ...StagedFile[]] = [staged];
    batches.push(begun);
    if (!isAlone) open.set(stage, begun);
  }
  return batches;
}

// Test files run in process groups of their own, which Ctrl+C in the terminal does not reach.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    killRunningFiles('SIGTERM');
    setTimeout(() => {
      killRunningFiles('SIGKILL');
      process.exit(code);
    }, 2000);
  });
}

/** Prepares the files of a stage, started in this order. */
async function planStage(name: string, only: readonly string[]): Promise<StagedFile[]> {
  const stage = stages[name];
  if (!stage) throw new Stop(`no stage "${name}": choose check, ${Object.keys(stages).join(', ')}`);
  const all = listTests(stage);
  const files = only.length === 0 ? all : all.filter((file) => only.some((part) => file.includes(part)));
  if (files.length === 0)
    throw new Stop(`no ${stage.about} found in ${[...stage.patterns, ...only].join(', ')}`);
  await stage.prepare?.();
  const { seed, timeoutSeconds, hasAsyncHooks } = stage;
  if (name === 'properties')
    process.stdout.write(`repeat with PROPERTY_SEED=${seed} node tools/test.ts properties\n`);
  const limits = { testSeconds: timeoutSeconds, fileSeconds: 3 * timeoutSeconds, exitSeconds: 30 };
  const env = { PROPERTY_SEED: String(seed), TEST_ASYNC_HOOKS: hasAsyncHooks ? 'on' : 'off' };
  return files.map((file) => ({ file, stage: name, env, limits }));
}

/** Returns how many tasks run at a time: as many as there are processors, and more while these are partly idle. */
function poolLimits(): PoolLimits {
  const cores = availableParallelism();
  return {
    least: cores,
    most: 3 * cores,
    // These compute all the time; a browser test needs a processor while it listens to what the page plays.
    mostOfKind: { check: cores, unit: cores, properties: cores, e2e: cores },
    hasCapacity: createCapacityMeter(),
  };
}

const asked = process.argv.slice(2);
const names = asked.filter((name) => name === 'check' || name in stages);
const only = asked.filter((name) => !names.includes(name));
const counts = new Map(names.map((name): [string, Counts] => [name, { passed: 0, failed: 0 }]));
const ends = new Map<string, number>();
const count = (name: string, passed: number, failed: number): void => {
  const sum = counts.get(name) ?? { passed: 0, failed: 0 };
  counts.set(name, { passed: sum.passed + passed, failed: sum.failed + failed });
};
const aboutOf = (name: string) => stages[name]?.about ?? 'check';

process.stdout.write(`\n── ${names.map(aboutOf).join(', ')}\n`);
const started = performance.now();
useDependencies();
const files: StagedFile[] = [];
for (const name of names.filter((each) => each !== 'check')) {
  try {
    files.push(...(await planStage(name, only)));
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    process.stdout.write(`✖ ${error.message}\n`);
    count(name, 0, 1);
  }
}
const tasks: PoolTask[] = names.includes('check')
  ? checkTasks((hasPassed) => {
      count('check', 0, hasPassed ? 0 : 1);
      ends.set('check', performance.now());
    })
  : [];
const results = await runTestFiles(inBatches(inOrder(files)), {
  cwd: root,
  pool: poolLimits(),
  tasks,
  // A continuous integration machine is not always idle: a file that failed there may pass alone, and is reported.
  retries: process.env.CI ? 1 : 0,
  write: (text) => void process.stdout.write(text),
});
for (const { stage, passed, failed, endMs } of results) {
  count(stage, passed, failed);
  ends.set(stage, Math.max(ends.get(stage) ?? 0, endMs));
}
const total: Counts = { passed: 0, failed: 0 };
const summary = [...counts].map(([name, { passed, failed }]) => {
  total.passed += passed;
  total.failed += failed;
  const what = name === 'check' ? `${failed} steps failed` : `${passed} passed, ${failed} failed`;
  const end = ((ends.get(name) ?? started) - started) / 1000;
  return `${failed === 0 ? '✔' : '✖'} ${aboutOf(name).padEnd(14)} ${what}  (ended after ${end.toFixed(1)} s)`;
});
process.stdout.write(`\n${summary.join('\n')}\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
