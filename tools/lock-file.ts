// Checks that package-lock.json lists the optional packages of every machine; `--write` adds those that are missing.
// Run it with --write after a change of dependencies.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './command.ts';
import { type LockPackages, missingOptionals } from './rules/lock-file.ts';

const file = path.join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: LockPackages };
const missing = missingOptionals(lock.packages);
const names = Object.keys(missing);

if (names.length > 0 && process.argv.includes('--write')) {
  const all = Object.entries({ ...lock.packages, ...missing });
  lock.packages = Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`added ${names.length} packages\n`);
} else if (names.length > 0) {
  process.stdout.write(
    `package-lock.json leaves out packages of other machines, and npm ci refuses it: node tools/lock-file.ts --write\n${names.join('\n')}\n`,
  );
  process.exitCode = 1;
}
