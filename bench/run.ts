// `npm run bench -- [NAME…] [--data DIR] [--write]` runs the benchmarks named, or all, one after another.
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { sectionOf, tableOf, withSection } from './report.ts';

const usage = 'usage: npm run bench -- [NAME…] [--data DIR] [--write]';
const document = path.resolve(import.meta.dirname, '..', 'docs', 'benchmarks.md');

async function loadBenches(): Promise<Bench[]> {
  const files = globSync('*.bench.ts', { cwd: import.meta.dirname }).sort();
  return Promise.all(
    files.map(async (file) => {
      const module = (await import(pathToFileURL(path.join(import.meta.dirname, file)).href)) as {
        bench?: Bench;
      };
      const { bench } = module;
      if (!bench) throw new Error(`bench/${file} must export a value "bench"`);
      if (`${bench.name}.bench.ts` !== file)
        throw new Error(`bench/${file} must be named ${bench.name}.bench.ts`);
      return bench;
    }),
  );
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const benches = await loadBenches();
const names = benches.map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0)
  fail(`no benchmark "${unknown.join('", "')}": there are ${names.join(', ')}\n${usage}`);
// npm runs scripts in the root; a relative folder is meant from where the user stands.
const dataDir = values.data === undefined ? null : path.resolve(process.env.INIT_CWD ?? '.', values.data);
if (dataDir !== null && !(existsSync(dataDir) && statSync(dataDir).isDirectory())) {
  fail(`--data must be a folder (got ${dataDir})`);
}

const machine = `${cpus()[0]?.model.trim() ?? process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}`;
process.stdout.write(`${machine}\n`);
let failed = 0;
for (const bench of benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  process.stdout.write(`\n${bench.name}: ${bench.about}\n`);
  try {
    const rows = await bench.run({ dataDir, log: (line) => process.stderr.write(`  ${line}\n`) });
    process.stdout.write(`\n${tableOf(rows)}\n`);
    if (values.write) {
      const date = new Date().toISOString().slice(0, 10);
      const command = `npm run bench -- ${bench.name}${dataDir === null ? '' : ' --data DIR'}`;
      const text = existsSync(document) ? readFileSync(document, 'utf8') : '';
      writeFileSync(
        document,
        withSection(text, bench.name, sectionOf(bench, rows, { date, machine, command })),
      );
    }
  } catch (error) {
    failed += 1;
    process.stderr.write(
      `✖ ${bench.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  }
}
process.exitCode = failed === 0 ? 0 : 1;
