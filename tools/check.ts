// Runs all checks that do not run the code: types, lint, format, dependency rules, docblocks, code rules, unused code.
// Two steps run at a time; only failed steps print their output.
import { readdirSync } from 'node:fs';
import { installed, root, runCommand } from './command.ts';

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
  { name: 'dependency rules', args: ['tools/check-rules.ts', '--only', 'dependencies'] },
  { name: 'owners of tables', args: ['tools/check-rules.ts', '--only', 'tables'] },
  { name: 'docstrings', args: ['tools/check-rules.ts', '--only', 'docblocks'] },
  { name: 'coding rules', args: ['tools/check-rules.ts', '--only', 'rules'] },
  { name: 'documents', args: ['tools/check-rules.ts', '--only', 'documents'] },
  { name: 'retired words', args: ['tools/retired-words.ts'] },
  {
    name: 'unused code',
    args: [installed('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints'],
  },
];

/** Runs every step and returns the number of failed steps. */
export async function check(): Promise<number> {
  const waiting = [...steps];
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const { code, output, seconds } = await runCommand(process.execPath, step.args);
      if (code !== 0) failed += 1;
      process.stdout.write(`${code === 0 ? '✔' : '✖'} ${step.name} (${seconds.toFixed(1)} s)\n`);
      if (code !== 0) process.stdout.write(`${output.trimEnd().replace(/^/gm, '    ')}\n`);
    }
  };
  await Promise.all([work(), work()]);
  return failed;
}

if (import.meta.main) {
  const failed = await check();
  process.stdout.write(failed === 0 ? 'check passed\n' : `${failed} of ${steps.length} steps failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
