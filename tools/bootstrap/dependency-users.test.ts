import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { listDependencyUsers } from './dependency-users.mjs';

test('names a process that uses the dependencies until it ends, and no dead one', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'stem-studio-users-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const module = path.join(import.meta.dirname, 'dependency-users.mjs');
  const program = `import { useDependencies } from ${JSON.stringify(module)};
    useDependencies(${JSON.stringify(folder)});
    process.stdout.write('ready');
    process.stdin.on('data', () => process.exit());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  await once(child.stdout, 'data');
  // A run that was killed leaves its mark; no process has this number.
  writeFileSync(path.join(folder, String(2 ** 30)), '');
  assert.deepEqual(listDependencyUsers(folder), [child.pid]);
  child.stdin.write('end');
  await once(child, 'exit');
  assert.deepEqual(listDependencyUsers(folder), []);
});
