// `node tools/test.ts STAGE…` runs the stages named, one after another, whatever the earlier ones say, and ends with
// the line "N passed, N failed".
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensurePage } from './bootstrap/page.mjs';
import { Stop } from './bootstrap/say.mjs';
import { ensureBrowser } from './browser.ts';
import { check } from './check.ts';
import { root } from './command.ts';
import { memoryFolder } from './memory-folder.ts';

interface Counts {
  passed: number;
  failed: number;
}

interface TestStage {
  about: string;
  patterns: readonly string[];
  /** Test files at a time. */
  concurrency: number;
  /** For one file; a test that hangs is ended and failed. */
  timeoutSeconds: number;
  prepare?(): Promise<void>;
}

// Every test file and every program that one starts is a process that loads the same few hundred modules: what Node has
// compiled of them is kept, here, so that a checkout has its own.
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules', '.cache', 'node-compile-cache');
// Databases and audio of tests live for seconds: in memory they cost no journal.
process.env.TMPDIR ??= memoryFolder() ?? tmpdir();

const stages: Readonly<Record<string, TestStage>> = {
  unit: {
    about: 'unit tests',
    patterns: [
      'tools',
      'bench',
      'packages/contract',
      'packages/dsp',
      'packages/renderer',
      'packages/audio',
      'packages/web',
      'packages/separator',
    ].map((folder) => `${folder}/**/*.test.{ts,tsx}`),
    concurrency: 2,
    timeoutSeconds: 180,
  },
  server: {
    about: 'service tests',
    patterns: ['packages/server/**/*.test.ts'],
    concurrency: 2,
    timeoutSeconds: 300,
  },
  e2e: {
    about: 'browser tests',
    patterns: ['e2e/**/*.test.ts'],
    concurrency: 1,
    timeoutSeconds: 900,
    async prepare() {
      await ensurePage(process.execPath);
      await ensureBrowser();
    },
  },
};

function listTests(patterns: readonly string[]): string[] {
  return globSync(patterns, {
    cwd: root,
    exclude: (file) => /(^|[\\/])(node_modules|dist)$/.test(file),
  }).sort();
}

/** Runs test files by Node's own runner. Skipped tests count as failed: nothing is skipped here. */
async function runTests(stage: TestStage, files: readonly string[]): Promise<Counts> {
  const folder = mkdtempSync(path.join(tmpdir(), 'stem-studio-tally-'));
  const tally = path.join(folder, 'tally.json');
  try {
    const child = spawn(
      process.execPath,
      [
        '--test',
        `--test-concurrency=${stage.concurrency}`,
        `--test-timeout=${stage.timeoutSeconds * 1000}`,
        '--test-reporter=./tools/reporters/progress-reporter.ts',
        '--test-reporter-destination=stdout',
        '--test-reporter=./tools/reporters/tally-reporter.ts',
        `--test-reporter-destination=${tally}`,
        ...files,
      ],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
    );
    // Node's runner ends its test files itself when it is told to.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        child.kill(signal);
        process.exit(1);
      });
    }
    const code = await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (ended) => resolve(ended ?? 1));
    });
    const counts = JSON.parse(readFileSync(tally, 'utf8') || '{}') as Record<string, number | undefined>;
    const failed =
      (counts.failed ?? 0) + (counts.cancelled ?? 0) + (counts.skipped ?? 0) + (counts.todo ?? 0);
    if (counts.skipped || counts.todo) process.stdout.write('✖ skipped tests count as failed\n');
    return { passed: counts.passed ?? 0, failed: code === 0 ? failed : Math.max(failed, 1) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runStage(name: string, only: readonly string[]): Promise<Counts> {
  if (name === 'check') return { passed: 0, failed: await check() };
  const stage = stages[name];
  if (!stage) throw new Stop(`no stage "${name}": choose check, ${Object.keys(stages).join(', ')}`);
  const all = listTests(stage.patterns);
  const files = only.length === 0 ? all : all.filter((file) => only.some((part) => file.includes(part)));
  if (files.length === 0)
    throw new Stop(`no ${stage.about} found in ${[...stage.patterns, ...only].join(', ')}`);
  await stage.prepare?.();
  return runTests(stage, files);
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
