import assert from 'node:assert/strict';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  createEmptyDatabase,
  everyFile,
  everyRow,
  fillLibraryForBackup,
  quietWork,
  schemaText,
  sourceOf,
  withClient,
} from '../../testing/backup-steps.ts';
import { filesBelow, openLibrary } from '../../testing/library-steps.ts';
import { backUp, copyBackup, restoreElsewhere } from '../../testing/restore-steps.ts';
import { insertStoredTrack, openSmallLibrary } from '../../testing/small-library.ts';
import { testConnection } from '../../testing/test-postgres.ts';
import { insertTestUser } from '../../testing/test-user.ts';
import { systemClock } from '../clock.ts';
import { migrate, readMigrations } from '../db/migrate.ts';
import { createBackup } from './create-backup.ts';
import { refuseUnfinishedRestore } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url));

test('restores every row, every file and the schema from a backup', async (t) => {
  const library = await openLibrary(t);
  const { context } = library;
  await fillLibraryForBackup(library);
  const made = await backUp(context);
  assert.deepEqual(made.manifest.missing, { count: 0, first: [] });
  const tables = await everyRow(context.connection);
  const filled = Object.keys(tables).filter((name) => (tables[name]?.length ?? 0) > 0);
  for (const name of ['users', 'stems', 'analyses', 'beat_grid_steps', 'cue_points', 'transcriptions'])
    assert.ok(filled.includes(name), `the library has no ${name}`);
  for (const name of ['deck_sessions', 'api_keys', 'connections', 'audit_log', 'imports'])
    assert.ok(filled.includes(name), `the library has no ${name}`);
  const restored = await restoreElsewhere(t, context, made.folder);
  assert.deepEqual(await everyRow(restored.connection), tables);
  assert.deepEqual(await everyFile(restored.uploadsDir), await everyFile(context.config.uploadsDir));
  assert.deepEqual(await schemaText(restored.connection), await schemaText(context.connection));
  assert.equal(restored.key, 'needed');
  assert.deepEqual(restored.migrated, []);
  await withClient(restored.connection, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*) as count from jobs join pgboss.job on pgboss.job.id = jobs.queue_id
       where jobs.finished_at is null and jobs.lease_id is null and jobs.status = 'queued'`,
    );
    assert.deepEqual(rows, [{ count: restored.requeued }]);
    assert.ok(restored.requeued >= 2);
    await assert.rejects(client.query('delete from audit_log'), /append-only/);
    const { rows: next } = await client.query<{ id: number }>(
      `insert into users (email, created_at) values ('next@example.org', now()) returning id`,
    );
    const { rows: highest } = await client.query('select max(id) as id from users');
    assert.deepEqual(next, highest);
  });
});

test('shares unchanged files with an earlier backup, and does not depend on it', async (t) => {
  const context = await openSmallLibrary(t);
  const first = await backUp(context);
  assert.deepEqual([first.copied.files, first.linked.files], [6, 0]);
  const user = await insertTestUser(context);
  await insertStoredTrack(context, user.id, Buffer.from('new'));
  const later = { ...sourceOf(context), clock: { ...systemClock, now: () => new Date(Date.now() + 5000) } };
  const second = await createBackup(later, { ...quietWork, root: dirname(first.folder) });
  assert.deepEqual([second.copied.files, second.linked.files], [2, 6]);
  await rm(first.folder, { recursive: true });
  const restored = await restoreElsewhere(t, context, second.folder);
  assert.deepEqual(await everyRow(restored.connection), await everyRow(context.connection));
  assert.deepEqual(await everyFile(restored.uploadsDir), await everyFile(context.config.uploadsDir));
});

test('copies a changed file, and reports a referenced file that is missing', async (t) => {
  const context = await openSmallLibrary(t);
  const first = await backUp(context);
  const [changed = '', gone = ''] = (await filesBelow(context.config.uploadsDir)).filter((path) =>
    path.endsWith('received'),
  );
  const before = await stat(join(context.config.uploadsDir, changed));
  const bytes = await readFile(join(context.config.uploadsDir, changed));
  await rm(join(context.config.uploadsDir, changed));
  await writeFile(join(context.config.uploadsDir, changed), bytes.fill(1));
  await rm(join(context.config.uploadsDir, gone));
  assert.equal((await stat(join(context.config.uploadsDir, changed))).size, before.size);
  const later = { ...sourceOf(context), clock: { ...systemClock, now: () => new Date(Date.now() + 5000) } };
  const second = await createBackup(later, { ...quietWork, root: dirname(first.folder) });
  assert.deepEqual([second.copied.files, second.linked.files], [1, 4]);
  assert.deepEqual(second.manifest.missing, { count: 1, first: [gone] });
  await verifyBackup(first.folder, systemClock, quietWork);
  await verifyBackup(second.folder, systemClock, quietWork);
});

test('migrates a backup of an older version', async (t) => {
  const context = await openSmallLibrary(t);
  const older = join(context.folder, 'migrations');
  await mkdir(older);
  const all = await readMigrations();
  for (const { name } of all.slice(0, -3)) await cp(join(migrationsFolder, name), join(older, name));
  const connection = await createEmptyDatabase(t);
  await migrate(connection, older);
  await withClient(connection, (client) =>
    client.query(`insert into users (email, created_at) values ('old@example.org', now())`),
  );
  const made = await createBackup(
    { ...sourceOf(context), connection },
    { ...quietWork, root: join(context.folder, 'backups') },
  );
  const restored = await restoreElsewhere(t, context, made.folder);
  assert.deepEqual(
    restored.migrated,
    all.slice(-3).map(({ name }) => name),
  );
  assert.deepEqual(await schemaText(restored.connection), await schemaText(context.connection));
  assert.equal((await everyRow(restored.connection))['users']?.length, 1);
});

test('backs up and restores as an owner without superuser privileges', async (t) => {
  const context = await openSmallLibrary(t);
  const made = await backUp(context);
  const admin = await createEmptyDatabase(t);
  const server = await testConnection();
  const role = `owner_${process.pid}`;
  await withClient(server, (client) => client.query(`create role ${role} login password 'p'`));
  const { database = '' } = admin;
  const name = database === '' ? new URL(admin.connectionString ?? '').pathname.slice(1) : database;
  await withClient(server, (client) => client.query(`alter database ${name} owner to ${role}`));
  t.after(() =>
    withClient(server, async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`drop role ${role}`);
    }),
  );
  const connection = { ...admin, user: role, password: 'p' };
  if (admin.connectionString !== undefined) {
    const url = new URL(admin.connectionString);
    [url.username, url.password] = [role, 'p'];
    Object.assign(connection, { connectionString: url.href });
  }
  const restored = await restoreElsewhere(t, context, made.folder, { connection });
  assert.deepEqual(await everyRow(connection), await everyRow(context.connection));
  const again = await createBackup(
    { ...sourceOf(context), connection },
    { ...quietWork, root: join(context.folder, 'again') },
  );
  assert.deepEqual(
    again.manifest.database.tables.map(({ rows }) => rows),
    restored.manifest.database.tables.map(({ rows }) => rows),
  );
});

test('rejects a restore into a non-empty database or folder, and changes nothing', async (t) => {
  const context = await openSmallLibrary(t);
  const made = await backUp(context);
  const before = await everyRow(context.connection);
  await assert.rejects(
    restoreElsewhere(t, context, made.folder, { connection: context.connection }),
    /the database is not empty \(it has \w+ and \d+ more tables\): .*Stop the service/,
  );
  assert.deepEqual(await everyRow(context.connection), before);
  const taken = join(context.folder, 'taken', 'uploads', 'downloads');
  await mkdir(taken, { recursive: true });
  await writeFile(join(taken, 'mine'), 'mine');
  await assert.rejects(
    restoreElsewhere(t, context, made.folder, { name: 'taken' }),
    /taken\/uploads is not empty \(it has downloads\/mine and 0 more\)/,
  );
  assert.deepEqual(await readdir(join(context.folder, 'taken', 'uploads')), ['downloads']);
});

test('undoes a failed restore, resumes a killed one, and blocks the service in between', async (t) => {
  const context = await openSmallLibrary(t);
  const made = await backUp(context);
  const connection = await createEmptyDatabase(t);
  const broken = await copyBackup(context, made, 'broken');
  const stop = new AbortController();
  stop.abort(new Error('interrupted'));
  await assert.rejects(
    restoreElsewhere(t, context, broken, { connection, signal: stop.signal }),
    /interrupted/,
  );
  // A path that cannot be written makes the restore fail in the middle.
  const uploadsDir = join(context.folder, 'restored', 'uploads');
  const marker = join(uploadsDir, '.restore-unfinished');
  await mkdir(join(uploadsDir, 'downloads'), { recursive: true });
  const blocked = (await verifyBackup(made.folder, systemClock, quietWork)).files[2]?.path ?? '';
  await mkdir(join(uploadsDir, blocked.slice('uploads/'.length)), { recursive: true });
  await assert.rejects(restoreElsewhere(t, context, made.folder, { connection }), /EISDIR/);
  assert.deepEqual(await readdir(uploadsDir), []);

  // State after a kill: the marker, some complete files, an incomplete one.
  const { sha256, files } = await verifyBackup(made.folder, systemClock, quietWork);
  await writeFile(marker, `${sha256}\n`);
  const [whole = '', half = ''] = files.map(({ path }) => path.slice('uploads/'.length));
  for (const path of [whole, half]) await mkdir(dirname(join(uploadsDir, path)), { recursive: true });
  await cp(join(context.config.uploadsDir, whole), join(uploadsDir, whole));
  await writeFile(join(uploadsDir, `${half}.restoring`), 'ha');
  await assert.rejects(refuseUnfinishedRestore(uploadsDir), /run the same "studio restore" again/);
  const restored = await restoreElsewhere(t, context, made.folder, { connection });
  assert.deepEqual(await everyRow(restored.connection), await everyRow(context.connection));
  assert.deepEqual(await everyFile(uploadsDir), await everyFile(context.config.uploadsDir));

  // After a kill with a complete database, only the jobs are added to the queue again.
  await writeFile(marker, `${sha256}\n`);
  const again = await restoreElsewhere(t, context, made.folder, { connection });
  assert.equal(again.requeued, restored.requeued);
  await refuseUnfinishedRestore(uploadsDir);
});

test('leaves nothing of a backup that is cancelled or cannot be written', async (t) => {
  const context = await openSmallLibrary(t);
  const root = join(context.folder, 'backups');
  const stop = new AbortController();
  const onProgress = () => stop.abort(new Error('interrupted'));
  await assert.rejects(
    createBackup(sourceOf(context), { root, signal: stop.signal, onProgress }),
    /interrupted/,
  );
  assert.deepEqual(await readdir(root), []);
  await writeFile(join(context.folder, 'file'), '');
  await assert.rejects(
    createBackup(sourceOf(context), { ...quietWork, root: join(context.folder, 'file') }),
    /EEXIST|ENOTDIR/,
  );
  await mkdir(join(root, '.unfinished-elsewhere.1.x'));
  await chmod(root, 0o755);
  await backUp(context);
  assert.equal((await readdir(root)).length, 2);
});

test('rejects a folder of backups inside the source folders, and excludes the disk reserve', async (t) => {
  const context = await openSmallLibrary(t);
  const { uploadsDir } = context.config;
  const inside = { ...quietWork, root: join(uploadsDir, 'backups') };
  await assert.rejects(createBackup(sourceOf(context), inside), /must lie outside of .*--to/);
  await writeFile(join(uploadsDir, 'disk-reserve.bin'), 'x'.repeat(1000));
  await writeFile(join(uploadsDir, 'disk-reserve.bin.1'), 'half');
  const made = await backUp(context);
  const parts = await filesBelow(join(made.folder, 'files'));
  assert.deepEqual(
    parts.filter((path) => path.includes('disk-reserve')),
    [],
  );
});
