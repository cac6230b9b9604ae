import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PoolLimits, type PoolTask, runPool } from './pool.ts';
import { runTestFile, type TestFileLimits, type TestFileResult } from './run-test-file.ts';

/** Number of the slowest files named at the end. */
const slowestNamed = 10;

/** A test file of a stage. */
export interface StagedFile {
  /** Path relative to the folder of the run. */
  readonly file: string;
  /** Name of the stage, and the kind of its tasks in the pool. */
  readonly stage: string;
  /** Variables added to the environment of the test process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly limits: TestFileLimits;
}

/** Result of a test file of a stage. */
export interface StagedResult extends TestFileResult {
  readonly stage: string;
  /** End of its process, in ms since the start of the runner. */
  readonly endMs: number;
}

/** Settings of a run of test files. */
export interface TestRun {
  readonly cwd: string;
  readonly pool: PoolLimits;
  /** Other tasks of the same pool, started before the files. */
  readonly tasks?: readonly PoolTask[];
  /** Number of times that a failed file is run again, alone, after all others. */
  readonly retries: number;
  /** Receives each line of the report. */
  write(text: string): void;
}

function reportFile({ file, passed, failed, failures, output, seconds, cpuSeconds }: TestFileResult): string {
  const texts = failures.map(
    ({ name, where, reason }) => `✖ ${name}  (${where})\n${reason.replace(/^/gm, '    ')}\n`,
  );
  const mark = failed === 0 ? '✔' : '✖';
  return `${output}${texts.join('')}${mark} ${file}  ${passed}/${passed + failed} (${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor time)\n`;
}

/** Files that run in one process, one after another. All belong to one stage. */
export type FileBatch = readonly [StagedFile, ...StagedFile[]];

/**
 * Runs test files of all stages at the same time, each batch in its own process, and reports each file as its process
 * ends.
 *
 * @param batches started in this order
 * @returns one result for each file; a file that passed when run again counts as passed and is reported
 */
export async function runTestFiles(batches: readonly FileBatch[], run: TestRun): Promise<StagedResult[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'stem-studio-test-events-'));
  const results = new Map<StagedFile, StagedResult>();
  let started = 0;
  const runBatch = async (batch: FileBatch): Promise<void> => {
    started += 1;
    const eventFile = path.join(folder, `${started}.ndjson`);
    const [{ stage, env, limits }] = batch;
    const files = batch.map(({ file }) => file);
    const found = await runTestFile(files, { cwd: run.cwd, env, eventFile, limits });
    const endMs = performance.now();
    for (const [index, result] of found.entries()) {
      run.write(reportFile(result));
      const staged = batch[index];
      if (staged) results.set(staged, { ...result, stage, endMs });
    }
  };
  try {
    const tasks = batches.map(
      (batch): PoolTask => ({ kind: batch[0].stage, run: async () => runBatch(batch) }),
    );
    await runPool([...(run.tasks ?? []), ...tasks], run.pool);
    const flaky = await runFailedAgain(results, runBatch, run);
    if (flaky.length > 0) run.write(`failed once and passed when run again:\n    ${flaky.join('\n    ')}\n`);
    const all = [...results.values()];
    if (all.length > slowestNamed) run.write(nameSlowest(all));
    return all;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the failed files again, one at a time, and returns those that passed. */
async function runFailedAgain(
  results: ReadonlyMap<StagedFile, StagedResult>,
  runBatch: (batch: FileBatch) => Promise<void>,
  run: TestRun,
): Promise<string[]> {
  const flaky: string[] = [];
  for (let round = 0; round < run.retries; round++) {
    const failed = [...results].filter(([, result]) => result.failed > 0).map(([staged]) => staged);
    if (failed.length > 0) run.write(`${failed.length} failed files are run again, one at a time\n`);
    for (const staged of failed) {
      await runBatch([staged]);
      if (results.get(staged)?.failed === 0) flaky.push(staged.file);
    }
  }
  return flaky;
}

function nameSlowest(results: readonly StagedResult[]): string {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestNamed);
  const lines = slowest.map(
    ({ file, seconds, cpuSeconds }) =>
      `${seconds.toFixed(1).padStart(8)} s  (${cpuSeconds.toFixed(1)} s of processor time)  ${file}\n`,
  );
  const sum = results.reduce((all, { cpuSeconds }) => all + cpuSeconds, 0);
  return `the ${slowestNamed} slowest files:\n${lines.join('')}processor time of all files: ${sum.toFixed(0)} s\n`;
}
