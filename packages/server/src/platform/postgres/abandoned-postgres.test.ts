import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '../../testing/eventually.ts';
import { startOwnPostgresProcess } from '../../testing/own-postgres-process.ts';
import { createLog } from '../log.ts';
import { findLockHolder } from '../process/directory-lock.ts';
import { isAlive } from '../process/is-alive.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { postmasterPid, stopPostmaster, throwAwaySettings } from './postmaster.ts';

const stopAbandoned = fileURLToPath(new URL('stop-abandoned.ts', import.meta.url));
const log = createLog('silent');

async function makeOpenFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'stem-studio-own-'));
  await chmod(folder, 0o755);
  t.after(async () => {
    for (const name of ['data/postgres', 'elsewhere']) {
      const pid = await postmasterPid(join(folder, name));
      if (pid !== null) await stopPostmaster(pid, log);
    }
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

test('stops the database of a killed service, but not one that another service has taken over', async (t) => {
  const dataDir = join(await makeOpenFolder(t), 'data');
  const first = await startOwnPostgresProcess(t, dataDir, 0.3);
  await first.end('SIGKILL');
  await eventually(
    () => isAlive(first.database),
    (alive) => !alive,
  );
  await eventually(
    () => findLockHolder(dataDir),
    (holder) => holder === null,
  );

  const second = await startOwnPostgresProcess(t, dataDir, 60);
  await second.end('SIGKILL');
  assert.equal(isAlive(second.database), true);
  const third = await startOwnPostgresProcess(t, dataDir, 60);
  assert.equal(third.database, second.database);
  // The command that the watchdog of the second service runs after its delay.
  const ran = await promisify(execFile)(process.execPath, [
    stopAbandoned,
    dataDir,
    join(dataDir, 'postgres'),
  ]);
  assert.deepEqual([ran.stdout, ran.stderr, isAlive(third.database)], ['', '', true]);
  await third.end('SIGTERM');
  assert.equal(isAlive(third.database), false);
});

test('stops the database of a killed service whose data directory was deleted', async (t) => {
  const folder = await makeOpenFolder(t);
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  // As for root, whose database may be in another folder.
  const own = await startOwnPostgres({ dataDir, log, settings: throwAwaySettings });
  await own.stop();
  await rename(join(dataDir, 'postgres'), join(folder, 'elsewhere'));
  await symlink(join(folder, 'elsewhere'), join(dataDir, 'postgres'));
  const service = await startOwnPostgresProcess(t, dataDir, 0.3);
  assert.equal(await postmasterPid(join(folder, 'elsewhere')), service.database);
  await rm(dataDir, { recursive: true });
  await service.end('SIGKILL');
  await eventually(
    () => isAlive(service.database),
    (alive) => !alive,
  );
});
