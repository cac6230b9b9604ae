import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTestFile, type TestFileLimits, type TestFileResult } from './run-test-file.ts';

/** Number of the slowest files named at the end. */
const slowestNamed = 10;

/** Settings of a run of test files. */
export interface TestRun {
  readonly cwd: string;
  /** Variables added to the environment of the test processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Number of files that run at a time. */
  readonly concurrency: number;
  readonly limits: TestFileLimits;
  /** Number of times that a failed file is run again, alone, after all others. */
  readonly retries: number;
  /** Receives each line of the report. */
  write(text: string): void;
}

function reportFile({ file, passed, failed, failures, output, seconds }: TestFileResult): string {
  const texts = failures.map(
    ({ name, where, reason }) => `✖ ${name}  (${where})\n${reason.replace(/^/gm, '    ')}\n`,
  );
  const mark = failed === 0 ? '✔' : '✖';
  return `${output}${texts.join('')}${mark} ${file}  ${passed}/${passed + failed} (${seconds.toFixed(1)} s)\n`;
}

/**
 * Runs test files, each in its own process, and reports each as it ends.
 *
 * @param files paths relative to `cwd`, started in this order
 * @returns numbers of tests passed and failed; a file that passed when run again counts as passed and is reported
 */
export async function runTestFiles(
  files: readonly string[],
  run: TestRun,
): Promise<{ passed: number; failed: number }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'stem-studio-test-events-'));
  let started = 0;
  const runFile = async (file: string): Promise<TestFileResult> => {
    started += 1;
    const eventFile = path.join(folder, `${started}.ndjson`);
    const result = await runTestFile(file, { cwd: run.cwd, env: run.env, eventFile, limits: run.limits });
    run.write(reportFile(result));
    return result;
  };
  try {
    const results = new Map<string, TestFileResult>();
    const waiting = [...files];
    const work = async (): Promise<void> => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
        results.set(file, await runFile(file));
    };
    await Promise.all(Array.from({ length: run.concurrency }, work));
    const flaky = await runFailedAgain(results, runFile, run);
    if (flaky.length > 0) run.write(`failed once and passed when run again:\n    ${flaky.join('\n    ')}\n`);
    if (results.size > slowestNamed) run.write(nameSlowest([...results.values()]));
    const all = [...results.values()];
    return {
      passed: all.reduce((sum, { passed }) => sum + passed, 0),
      failed: all.reduce((sum, { failed }) => sum + failed, 0),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the failed files again, one at a time, and returns those that passed. */
async function runFailedAgain(
  results: Map<string, TestFileResult>,
  runFile: (file: string) => Promise<TestFileResult>,
  run: TestRun,
): Promise<string[]> {
  const flaky: string[] = [];
  for (let round = 0; round < run.retries; round++) {
    const failed = [...results.values()].filter((result) => result.failed > 0).map(({ file }) => file);
    if (failed.length > 0) run.write(`${failed.length} failed files are run again, one at a time\n`);
    for (const file of failed) {
      const result = await runFile(file);
      results.set(file, result);
      if (result.failed === 0) flaky.push(file);
    }
  }
  return flaky;
}

function nameSlowest(results: readonly TestFileResult[]): string {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestNamed);
  const lines = slowest.map(
    ({ file, seconds, cpuSeconds }) =>
      `${seconds.toFixed(1).padStart(8)} s  (${cpuSeconds.toFixed(1)} s of processor time)  ${file}\n`,
  );
  return `the ${slowestNamed} slowest files, processor time without child processes:\n${lines.join('')}`;
}
