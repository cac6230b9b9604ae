import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { cleanUp } from '../../testing/clean-up.ts';
import { eventually } from '../../testing/eventually.ts';
import { startOwnPostgresProcess } from '../../testing/own-postgres-process.ts';
import type { Connection } from '../db/connection.ts';
import { openDatabase } from '../db/database.ts';
import { createLog } from '../log.ts';
import { connectionTo, findDatabaseFolder } from './cluster.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { throwAwaySettings } from './postmaster.ts';

const log = createLog('silent');

async function ask(connection: Connection, query: string): Promise<unknown[]> {
  const { db, close } = openDatabase({ connection, log, maxConnections: 1 });
  try {
    return (await sql.raw(query).execute(db)).rows;
  } finally {
    await close();
  }
}

test('requires a password over the socket, also for a running database without one', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stem-studio-own-'));
  await chmod(dataDir, 0o755);
  cleanUp(t, () => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  const start = () => startOwnPostgres({ dataDir, log, settings: throwAwaySettings });
  const killed = await startOwnPostgresProcess(t, dataDir, 60);
  await killed.end('SIGKILL');
  const folder = await findDatabaseFolder(dataDir);
  const before = await connectionTo(folder, 'socket');
  const { password: _password, ...withoutPassword } = before;
  await ask(before, 'create table kept (n int)');
  await assert.rejects(ask(withoutPassword, 'select 1'), /password/);
  await assert.rejects(ask({ ...before, password: 'guess' }, 'select 1'), /password authentication failed/);
  const accessPath = join(folder, 'stem-studio.json');
  assert.equal((await stat(accessPath)).mode & 0o777, 0o600);

  // State of earlier versions.
  await ask(before, 'alter role stem_studio with password null');
  const rules = join(folder, 'pg_hba.conf');
  await writeFile(rules, 'local all all trust\n');
  await rm(accessPath);
  process.kill(killed.database, 'SIGHUP');
  const isOpen = () =>
    ask(withoutPassword, 'select 1').then(
      () => true,
      () => false,
    );
  await eventually(isOpen, (open) => open);

  const own = await start();
  cleanUp(t, () => own.stop());
  assert.equal(own.pid(), killed.database);
  assert.notEqual(own.connection.password, before.password);
  assert.deepEqual(await ask(own.connection, 'select * from kept'), []);
  await eventually(isOpen, (open) => !open);
  assert.doesNotMatch(await readFile(rules, 'utf8'), /trust/);
  assert.equal((await stat(accessPath)).mode & 0o777, 0o600);
});
