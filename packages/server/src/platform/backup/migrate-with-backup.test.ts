import assert from 'node:assert/strict';
import { appendFile, cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, quietWork } from '../../testing/backup-steps.ts';
import { openTestContext } from '../../testing/test-context.ts';
import { insertTestUser } from '../../testing/test-user.ts';
import { systemClock } from '../clock.ts';
import { createLog } from '../log.ts';
import { migrateWithBackup } from './migrate-with-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url));

test('backs up a database with data before migrations, keeps the newest three backups, and stops on a failure', async (t) => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const context = await openTestContext(t);
  const folder = join(context.folder, 'migrations');
  await cp(migrationsFolder, folder, { recursive: true });
  const { backupsDir } = context.config;
  const run = (change = {}, connection = context.connection) =>
    migrateWithBackup(connection, { ...context.config, ...change }, log, folder);
  const addMigration = (number: number) =>
    writeFile(join(folder, `${number}-more.sql`), `create table more_${number} (n int);`);
  const backups = () => readdir(backupsDir).catch(() => []);

  await addMigration(9000);
  assert.deepEqual(await run(), ['9000-more.sql']);
  assert.deepEqual(await backups(), [], 'an empty database needs no backup');
  await insertTestUser(context);
  assert.deepEqual(await run(), []);
  assert.deepEqual(await backups(), [], 'nothing was migrated');

  await addMigration(9001);
  assert.deepEqual(await run(), ['9001-more.sql']);
  const [name = ''] = await backups();
  assert.match(name, /^before-migration-\d{4}-\d\d-\d\dT[\d-]+Z$/);
  const { manifest } = await verifyBackup(join(backupsDir, name), systemClock, quietWork);
  assert.equal(manifest.kind, 'database');
  assert.deepEqual(manifest.database.migrations.at(-1)?.name, '9000-more.sql');
  assert.equal(manifest.database.tables.find((table) => table.name === 'users')?.rows, 1);
  assert.ok(lines.some((line) => line.includes('backed up before it is migrated') && line.includes(name)));

  await writeFile(join(folder, '9002-more.sql'), 'select nonsense;');
  for (let start = 0; start < 4; start++) await assert.rejects(run(), /9002-more.sql failed/);
  assert.equal((await backups()).length, 2, 'one of each schema');
  for (const number of [9002, 9003, 9004]) {
    await addMigration(number);
    await run();
  }
  const kept = await Promise.all(
    (await backups()).map((one) => verifyBackup(join(backupsDir, one), systemClock, quietWork)),
  );
  assert.deepEqual(kept.map((one) => one.manifest.database.migrations.at(-1)?.name ?? '').toSorted(), [
    '9001-more.sql',
    '9002-more.sql',
    '9003-more.sql',
  ]);

  await addMigration(9005);
  const blocked = join(context.folder, 'a-file');
  await appendFile(blocked, '');
  await assert.rejects(
    run({ backupsDir: join(blocked, 'x') }),
    /was not migrated, because it could not be backed up/,
  );
  await assert.rejects(context.db.selectFrom('more_9005' as never).execute(), /does not exist/);
  assert.deepEqual(await run({ backupsDir: join(blocked, 'x'), isBackingUpBeforeMigrations: false }), [
    '9005-more.sql',
  ]);
  assert.ok(lines.some((line) => line.includes('BACKUP_BEFORE_MIGRATION is off')));

  const empty = await createEmptyDatabase(t);
  assert.ok((await run({ backupsDir: join(blocked, 'x') }, empty)).length > 10);
});
