import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cleanUp } from '../../testing/clean-up.ts';
import { makeFolder } from '../../testing/library-steps.ts';
import { DirectoryLockedError, findLockHolder, lockDirectory } from './directory-lock.ts';

const program = fileURLToPath(new URL('../../testing/lock-child.ts', import.meta.url));
const unshare = ['unshare', '--uts', '--pid', '--fork', '--mount-proc', '--kill-child'];
const canUnshare = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true']).status === 0;
/**
 * Runs a command in another container, with another host name and process id namespace. Without the permission for
 * that, on this machine.
 */
const container = canUnshare ? [...unshare, 'sh', '-c', 'hostname elsewhere; exec "$@"', 'sh'] : [];

/** Starts a process that requests the lock. Returns its first output line and a function that kills it. */
async function ask(t: TestContext, folder: string, through: readonly string[] = []) {
  const [command, ...args] = [...through, process.execPath, program, folder];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  };
  cleanUp(t, kill);
  const [says] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { says, kill, pid: child.pid, errors: () => errors };
}

test('locks a folder for one process, and names it to others until it is killed', async (t) => {
  const folder = await makeFolder(t);
  const first = await ask(t, folder);
  assert.deepEqual([first.says, first.errors()], ['locked', '']);
  const second = await ask(t, folder);
  assert.match(
    second.says,
    new RegExp(`process ${first.pid}, since .*must not share a data directory.*DATA_DIR`),
  );
  assert.match((await findLockHolder(folder)) ?? '', new RegExp(`^process ${first.pid}, since 2`));
  assert.deepEqual((await readdir(folder)).sort(), ['lock', 'lock.sqlite']);
  await first.kill();
  assert.equal(await findLockHolder(folder), null);
  assert.equal((await ask(t, folder)).says, 'locked');
});

test('respects a holder with another host name', async (t) => {
  const folder = await makeFolder(t);
  const first = await ask(t, folder);
  const note = JSON.parse(await readFile(join(folder, 'lock'), 'utf8')) as object;
  await writeFile(join(folder, 'lock'), JSON.stringify({ ...note, host: 'a7f3c1', pid: 1 }));
  assert.match((await ask(t, folder)).says, /process 1 on a7f3c1, another container or machine/);
  await first.kill();
  assert.equal((await ask(t, folder)).says, 'locked');
});

test('rejects a process of another container on the same volume', async (t) => {
  const folder = await makeFolder(t);
  const first = await ask(t, folder);
  assert.match((await ask(t, folder, container)).says, new RegExp(`process ${first.pid}.* uses ${folder}`));
});

test('rejects a second lock within a process, and allows it after the release', async (t) => {
  const folder = await makeFolder(t);
  const release = await lockDirectory(folder);
  await assert.rejects(lockDirectory(folder), DirectoryLockedError);
  // A search for the holder in the process that holds the lock does not release it.
  assert.match((await findLockHolder(folder)) ?? '', new RegExp(`^process ${process.pid}`));
  assert.match((await ask(t, folder)).says, new RegExp(`process ${process.pid}`));
  await release();
  await (await lockDirectory(folder))();
});

test('respects a running service of a version that locked by a file alone', async (t) => {
  const folder = await makeFolder(t);
  const old = await ask(t, await makeFolder(t));
  const note = { pid: old.pid, started: null, host: hostname() };
  await writeFile(join(folder, 'lock'), JSON.stringify(note));
  await assert.rejects(lockDirectory(folder), new RegExp(`process ${old.pid}`));
  await old.kill();
  await (await lockDirectory(folder))();
});

test('reports a folder that cannot be locked with the reason', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'lock.sqlite'), 'not a database, whatever it is, for long enough to be read');
  await assert.rejects(lockDirectory(folder), /lock\.sqlite cannot be locked \(.*not a database\)/);
});
