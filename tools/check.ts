// Runs all checks that do not run the code: types, lint, format, dependency rules, docblocks, code rules, unused code.
// Two steps run at a time; only failed steps print their output.
import { readdirSync } from 'node:fs';
import { installed, root, runCommand } from './command.ts';
import { type PoolTask, runPool } from './runner/pool.ts';

interface Step {
  name: string;
  args: readonly string[];
}

const packages = readdirSync(`${root}/packages`).sort();
const tsc = installed('typescript', 'bin', 'tsc');

const steps: readonly Step[] = [
  { name: 'lint', args: [installed('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings'] },
  ...packages.map((name) => ({ name: `types: ${name}`, args: [tsc, '-p', `packages/${name}`] })),
  { name: 'types: tests and tools', args: [tsc, '-p', '.'] },
  {
    name: 'format',
    args: [installed('@biomejs', 'biome', 'bin', 'biome'), 'check', '--reporter=summary', '.'],
  },
  // One process for all of them: each would parse the repository again.
  { name: 'dependency rules, tables, docblocks, code rules, documents', args: ['tools/check-rules.ts'] },
  { name: 'retired words', args: ['tools/retired-words.ts'] },
  {
    name: 'unused code',
    args: [installed('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints'],
  },
];

/** Runs one step, reports it, and returns whether it passed. */
async function runStep(step: Step): Promise<boolean> {
  const { code, output, seconds } = await runCommand(process.execPath, step.args);
  process.stdout.write(`${code === 0 ? '✔' : '✖'} ${step.name} (${seconds.toFixed(1)} s)\n`);
  if (code !== 0) process.stdout.write(`${output.trimEnd().replace(/^/gm, '    ')}\n`);
  return code === 0;
}

/**
 * Returns the steps as tasks of a pool.
 *
 * @param onEnd receives whether a step passed
 */
export function checkTasks(onEnd: (hasPassed: boolean) => void): PoolTask[] {
  return steps.map((step) => ({ kind: 'check', run: async () => onEnd(await runStep(step)) }));
}

if (import.meta.main) {
  let failed = 0;
  const tasks = checkTasks((hasPassed) => void (failed += hasPassed ? 0 : 1));
  await runPool(tasks, { least: 2, most: 2, hasCapacity: () => false });
  process.stdout.write(failed === 0 ? 'check passed\n' : `${failed} of ${steps.length} steps failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
