// `node tools/test.ts STAGE…` runs the named stages in order, continues after failures, and ends with the line "N
// passed, N failed".
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensurePage } from './bootstrap/page.mjs';
import { Stop } from './bootstrap/say.mjs';
import { ensureBrowser } from './browser.ts';
import { check } from './check.ts';
import { root } from './command.ts';
import { memoryFolder } from './memory-folder.ts';
import { killRunningFiles } from './runner/run-test-file.ts';
import { runTestFiles } from './runner/run-test-files.ts';

interface Counts {
  passed: number;
  failed: number;
}

interface TestStage {
  about: string;
  patterns: readonly string[];
  /** Number of test files that run at a time. */
  concurrency: number;
  /**
   * Limit of one test, and a third of the limit of its file. A test that exceeds it is killed with all its processes
   * and fails.
   */
  timeoutSeconds: number;
  /** Seed of the property tests. */
  seed: number;
  /** Returns whether a file belongs to the stage, based on its text. */
  takes?: (text: string) => boolean;
  /** Parts of the names of slow files, which are started first. Otherwise one of them may run alone at the end. */
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
    concurrency: 2,
    timeoutSeconds: 180,
    seed: fixedSeed,
    first: ['onnx.test', 'separator/src/main.test', 'start-frame', 'key-lock'],
  },
  properties: {
    about: 'property tests',
    patterns: unitPatterns,
    concurrency: 2,
    timeoutSeconds: 180,
    seed: Number(process.env.PROPERTY_SEED ?? randomInt(2 ** 31)),
    // A property with a seed of its own would only repeat the same values.
    takes: (text) => text.includes("from 'fast-check'") && !/\bseed: \d/.test(text),
  },
  server: {
    about: 'service tests',
    patterns: ['packages/server/**/*.test.ts'],
    concurrency: 2,
    timeoutSeconds: 300,
    seed: fixedSeed,
    first: [
      'who-may',
      'audio-commands',
      'networks',
      'kill-rounds',
      'cloud-failures',
      'own-postgres',
      'fuzz-surface',
      'backup-command',
      'studio.test',
    ],
  },
  e2e: {
    about: 'browser tests',
    patterns: ['e2e/**/*.test.ts'],
    concurrency: 1,
    timeoutSeconds: 900,
    seed: fixedSeed,
    async prepare() {
      await ensurePage(process.execPath);
      await ensureBrowser();
    },
  },
};

function listTests({ patterns, first = [], takes }: TestStage): string[] {
  const rank = (file: string) => {
    const index = first.findIndex((part) => file.includes(part));
    return index === -1 ? first.length : index;
  };
  return globSync(patterns, {
    cwd: root,
    exclude: (file) => /(^|[\\/])(node_modules|dist)$/.test(file),
  })
    .filter((file) => takes?.(readFileSync(path.join(root, file), 'utf8')) ?? true)
    .sort()
    .sort((a, b) => rank(a) - rank(b));
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

async function runStage(name: string, only: readonly string[]): Promise<Counts> {
  if (name === 'check') return { passed: 0, failed: await check() };
  const stage = stages[name];
  if (!stage) throw new Stop(`no stage "${name}": choose check, ${Object.keys(stages).join(', ')}`);
  const all = listTests(stage);
  const files = only.length === 0 ? all : all.filter((file) => only.some((part) => file.includes(part)));
  if (files.length === 0)
    throw new Stop(`no ${stage.about} found in ${[...stage.patterns, ...only].join(', ')}`);
  await stage.prepare?.();
  const { seed } = stage;
  if (name === 'properties')
    process.stdout.write(`repeat with PROPERTY_SEED=${seed} node tools/test.ts properties\n`);
  return runTestFiles(files, {
    cwd: root,
    env: { PROPERTY_SEED: String(seed) },
    concurrency: stage.concurrency,
    limits: {
      testSeconds: stage.timeoutSeconds,
      fileSeconds: 3 * stage.timeoutSeconds,
      exitSeconds: 30,
    },
    // A continuous integration machine is not always idle: a file that failed there may pass alone, and is reported.
    retries: process.env.CI ? 1 : 0,
    write: (text) => void process.stdout.write(text),
  });
}

const asked = process.argv.slice(2);
const names = asked.filter((name) => name === 'check' || name in stages);
const only = asked.filter((name) => !names.includes(name));
const summary: string[] = [];
const total: Counts = { passed: 0, failed: 0 };
for (const name of names) {
  process.stdout.write(`\n── ${stages[name]?.about ?? 'check'}\n`);
  const started = performance.now();
  let counts: Counts;
  try {
    counts = await runStage(name, only);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    process.stdout.write(`✖ ${error.message}\n`);
    counts = { passed: 0, failed: 1 };
  }
  total.passed += counts.passed;
  total.failed += counts.failed;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const what =
    name === 'check' ? `${counts.failed} steps failed` : `${counts.passed} passed, ${counts.failed} failed`;
  summary.push(
    `${counts.failed === 0 ? '✔' : '✖'} ${(stages[name]?.about ?? 'check').padEnd(14)} ${what}  (${seconds} s)`,
  );
}
process.stdout.write(`\n${summary.join('\n')}\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
