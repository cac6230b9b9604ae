import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { z } from 'zod';
import { parseConfig } from '../../config.ts';
import { createContext } from '../../context.ts';
import { cleanUp } from '../../testing/clean-up.ts';
import type { TestLifetime } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { insertTestUser } from '../../testing/test-user.ts';
import { pause } from '../clock.ts';
import { isDatabaseUnavailable } from '../db/connection.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { storedJson } from '../db/stored-json.ts';
import { createLog } from '../log.ts';
import { isAlive } from '../process/is-alive.ts';
import { findJob } from '../queue/jobs.store.ts';
import { requestJob } from '../queue/jobs.ts';
import { done } from '../queue/verdict.ts';
import { defineWorker } from '../queue/worker.ts';
import { findBinaries, NoPostgresError } from './binaries.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { throwAwaySettings } from './postmaster.ts';
import { firstClosedFolder } from './unprivileged.ts';

const log = createLog('silent');
const child = fileURLToPath(new URL('../../testing/own-postgres-child.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;

async function folderFor(t: TestLifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-own-'));
  await chmod(folder, 0o755);
  cleanUp(t, () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts with the settings of the service, because these tests check what survives a crash. */
async function startOwn(t: TestLifetime, dataDir: string) {
  const own = await startOwnPostgres({ dataDir, log });
  cleanUp(t, () => own.stop());
  return own;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

interface ChildReport {
  pid?: number;
  uid?: number;
  error?: string;
}

async function startChild(
  t: TestLifetime,
  dataDir: string,
  uid?: number,
): Promise<{ service: ChildProcess; report: ChildReport }> {
  const account = uid === undefined ? {} : { uid, gid: uid };
  const service = spawn(process.execPath, [child, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...account,
  });
  cleanUp(t, async () => {
    if (service.exitCode !== null || service.signalCode !== null) return;
    service.kill('SIGTERM');
    await once(service, 'exit');
  });
  const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as [string];
  return { service, report: JSON.parse(line) as ChildReport };
}

async function ownerOf(pid: number): Promise<number> {
  return (await stat(`/proc/${pid}`)).uid;
}

test('runs PostgreSQL not as root, in UTC, with fsync', async (t) => {
  const dataDir = await folderFor(t);
  const own = await startOwnPostgres({ dataDir, log });
  cleanUp(t, () => own.stop());
  if (process.platform === 'linux') assert.equal((await ownerOf(own.pid())) === 0, false);
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o077, 0);
  const { db, close } = openDatabase({ connection: own.connection, log });
  const shown = async (name: string) =>
    (await sql<Record<string, string>>`select current_setting(${name}) as value`.execute(db)).rows[0]?.[
      'value'
    ];
  assert.equal(await shown('fsync'), 'on');
  assert.equal(await shown('timezone'), 'UTC');
  assert.equal(await shown('listen_addresses'), '');
  await close();
});

test('runs PostgreSQL under an unprivileged account', async (t) => {
  const dataDir = join(await folderFor(t), 'data');
  await mkdir(dataDir);
  const uid = isRoot ? 65_534 : undefined;
  if (uid !== undefined) await chown(dataDir, uid, uid);
  const { service, report } = await startChild(t, dataDir, uid);
  assert.equal(report.error, undefined);
  assert.notEqual(report.uid, 0);
  assert.equal(await ownerOf(report.pid ?? 0), report.uid);
  service.kill('SIGTERM');
  await once(service, 'exit');
  assert.equal(isAlive(report.pid ?? 0), false);
});

test('takes over a running database after a kill -9 of the service', async (t) => {
  const dataDir = await folderFor(t);
  const { service, report } = await startChild(t, dataDir);
  service.kill('SIGKILL');
  await once(service, 'exit');
  assert.equal(isAlive(report.pid ?? 0), true);
  const own = await startOwn(t, dataDir);
  assert.equal(own.pid(), report.pid);
  const { db, close } = openDatabase({ connection: own.connection, log });
  assert.equal((await sql`select 1`.execute(db)).rows.length, 1);
  await close();
  await own.stop();
  assert.equal(isAlive(report.pid ?? 0), false);
});

test('recovers committed data after a kill -9 of service and database', async (t) => {
  const dataDir = await folderFor(t);
  const first = await startOwn(t, dataDir);
  const opened = openDatabase({ connection: first.connection, log });
  await sql`create table kept (n int)`.execute(opened.db);
  await sql`insert into kept values (1), (2)`.execute(opened.db);
  await opened.close();
  process.kill(first.pid(), 'SIGKILL');
  await first.stop();
  const second = await startOwn(t, dataDir);
  const again = openDatabase({ connection: second.connection, log });
  assert.equal((await sql`select * from kept`.execute(again.db)).rows.length, 2);
  await again.close();
});

test('rejects a second service on the same directory with a message', async (t) => {
  const dataDir = await folderFor(t);
  const { service } = await startChild(t, dataDir);
  const { report } = await startChild(t, dataDir);
  assert.match(
    report.error ?? '',
    new RegExp(`process ${service.pid}.*must not share a data directory.*DATA_DIR`, 's'),
  );
});

test('restarts a database that is killed under load: queries fail as retryable, and committed data is kept', async (t) => {
  const own = await startOwn(t, await folderFor(t));
  const { db, close } = openDatabase({ connection: own.connection, log });
  await sql`create table counted (n int)`.execute(db);
  const before = own.pid();
  const seen = { committed: 0, failures: 0, isOver: false };
  const load = Array.from({ length: 4 }, async () => {
    while (!seen.isOver) {
      try {
        await sql`insert into counted values (1)`.execute(db);
        seen.committed += 1;
      } catch (error) {
        assert.ok(isDatabaseUnavailable(error), String(error));
        seen.failures += 1;
        await pause(10);
      }
    }
  });
  await until(() => seen.committed >= 20);
  process.kill(before, 'SIGKILL');
  await until(() => seen.failures > 0 && own.pid() !== before);
  const after = seen.committed;
  await until(() => seen.committed >= after + 20);
  seen.isOver = true;
  await Promise.all(load);
  const { rows } = await sql<{ count: number }>`select count(*) from counted`.execute(db);
  // An insert whose reply was cut off may have been committed.
  const count = rows[0]?.count ?? 0;
  assert.ok(
    count >= seen.committed && count <= seen.committed + seen.failures,
    `${count} rows, ${seen.committed} committed, ${seen.failures} failed`,
  );
  await close();
});

test('completes a job although the database is killed while it runs', async (t) => {
  const dataDir = await folderFor(t);
  const own = await startOwn(t, dataDir);
  await migrate(own.connection);
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const worker = defineWorker({
    type: 'analysis',
    args: storedJson('test job', z.strictObject({})),
    concurrency: () => 1,
    attempts: 2,
    runningStatus: 'processing',
    perform: async () => {
      begun.resolve();
      await goOn.promise;
      return done();
    },
  });
  const config = parseConfig({ NODE_ENV: 'test' }, dataDir);
  const options = { connection: own.connection, workers: [worker], pipeline: {}, log };
  const { context, close } = await createContext(config, options);
  const user = await insertTestUser(context);
  const trackId = await insertTestTrack(context, user.id);
  const request = {
    type: 'analysis',
    user_id: user.id,
    subject: { kind: 'track', id: trackId },
    args: {},
  } as const;
  const { id } = await context.db.transaction().execute((tx) => requestJob(context, tx, request));
  await context.queue.start(context);
  await begun.promise;
  const before = own.pid();
  process.kill(before, 'SIGKILL');
  // The outcome is stored after the database is available again.
  goOn.resolve();
  while (own.pid() === before) await pause(5);
  for (;;) {
    const row = await findJob(context.db, id).catch(() => null);
    assert.notEqual(row?.status, 'failed', row?.error ?? '');
    if (row?.status === 'completed') break;
    await pause(20);
  }
  await close();
});

test('uses a password and a loopback port on systems without socket files', async (t) => {
  const dataDir = await folderFor(t);
  const own = await startOwnPostgres({ dataDir, log, transport: 'tcp', settings: throwAwaySettings });
  cleanUp(t, () => own.stop());
  assert.equal(own.connection.host, '127.0.0.1');
  const { db, close } = openDatabase({ connection: own.connection, log });
  assert.equal((await sql`select 1`.execute(db)).rows.length, 1);
  await close();
  const wrong = openDatabase({ connection: { ...own.connection, password: 'guess' }, log });
  await assert.rejects(sql`select 1`.execute(wrong.db), /password authentication failed/);
  await wrong.close();
});

test('creates a short link for a path that is too long for a socket', async (t) => {
  const dataDir = join(await folderFor(t), 'd'.repeat(60), 'e'.repeat(60));
  await mkdir(dataDir, { recursive: true });
  const own = await startOwn(t, dataDir);
  assert.ok((own.connection.host ?? '').length < 90);
  const { db, close } = openDatabase({ connection: own.connection, log });
  assert.equal((await sql`select 1`.execute(db)).rows.length, 1);
  await close();
  await rm(own.connection.host ?? '');
});

test('mentions DATABASE_URL on a platform without binaries', async () => {
  await assert.rejects(findBinaries('sunos', 'sparc'), (error: unknown) => {
    assert.ok(error instanceof NoPostgresError);
    return /sunos on sparc.*DATABASE_URL/s.test(error.message);
  });
});

test('does not change a database of another major version', async (t) => {
  const dataDir = await folderFor(t);
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '9\n');
  await assert.rejects(
    startOwnPostgres({ dataDir, log }),
    /made by PostgreSQL 9, and this studio includes \d+/,
  );
  assert.equal(await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8'), '9\n');
});

test('finds a folder that the database account may not traverse', async (t) => {
  const folder = await folderFor(t);
  const account = { uid: 12_345, gid: 12_345, name: 'somebody' };
  assert.equal(await firstClosedFolder(join(folder, 'data'), account), null);
  await chmod(folder, 0o700);
  assert.equal(await firstClosedFolder(join(folder, 'data'), account), folder);
});
