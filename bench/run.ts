// `npm run bench -- [NAME…] [--data DIR] [--songs DIR] [--write]` runs the named benchmarks, or all of them, in sequence. `--write`
// writes each table to docs/benchmarks/NAME.md and updates the summary in docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { pageOf, tableOf } from './report.ts';
import { writeResult } from './write-result.ts';

const usage = 'usage: npm run bench -- [NAME…] [--data DIR] [--songs DIR] [--write]';
const docs = path.resolve(import.meta.dirname, '..', 'docs');
const ending = '.bench.ts';

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    songs: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const names = globSync(`*${ending}`, { cwd: import.meta.dirname })
  .map((file) => file.slice(0, -ending.length))
  .sort();
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0)
  fail(`no benchmark "${unknown.join('", "')}": there are ${names.join(', ')}\n${usage}`);
const dataDir = folderOf('data', values.data);
const songsDir = folderOf('songs', values.songs);

const chosen = positionals.length === 0 ? names : names.filter((name) => positionals.includes(name));
process.exitCode = chosen.length === 1 ? await runHere(chosen[0] ?? '') : runEach(chosen);

/** Returns the folder of an option; npm runs scripts in the root, a relative one refers to the user's folder. */
function folderOf(option: string, given: string | undefined): string | null {
  if (given === undefined) return null;
  const folder = path.resolve(process.env.INIT_CWD ?? '.', given);
  if (!(existsSync(folder) && statSync(folder).isDirectory()))
    fail(`--${option} must be a folder (got ${folder})`);
  return folder;
}

/** Runs each benchmark in a separate process, so that modules and garbage of others do not affect the measurement. */
function runEach(chosenNames: readonly string[]): number {
  const options = [
    ...(dataDir === null ? [] : ['--data', dataDir]),
    ...(songsDir === null ? [] : ['--songs', songsDir]),
    ...(values.write ? ['--write'] : []),
  ];
  const codes = chosenNames.map((name) => {
    const args = [...process.execArgv, import.meta.filename, name, ...options];
    return spawnSync(process.execPath, args, { stdio: 'inherit' }).status;
  });
  return codes.every((code) => code === 0) ? 0 : 1;
}

async function loadBench(name: string): Promise<Bench> {
  const file = path.join(import.meta.dirname, `${name}${ending}`);
  const { bench } = (await import(pathToFileURL(file).href)) as { bench?: Bench };
  if (bench?.name !== name)
    throw new Error(`bench/${name}${ending} must export a value "bench" of that name`);
  return bench;
}

async function runHere(name: string): Promise<number> {
  const machine = `${cpus()[0]?.model.trim() ?? process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  try {
    const bench = await loadBench(name);
    process.stdout.write(`${machine}\n\n${bench.name}: ${bench.about}\n`);
    const rows = await bench.run({ dataDir, songsDir, log: (line) => process.stderr.write(`  ${line}\n`) });
    process.stdout.write(`\n${tableOf(rows)}\n`);
    if (!values.write) return 0;
    const date = new Date().toISOString().slice(0, 10);
    const folders = `${dataDir === null ? '' : ' --data DIR'}${songsDir === null ? '' : ' --songs DIR'}`;
    const command = `npm run bench -- ${name}${folders}`;
    writeResult(docs, name, pageOf(bench, rows, { date, machine, command }));
    return 0;
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`✖ ${name}: ${message}\n`);
    return 1;
  }
}
