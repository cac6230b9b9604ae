import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openTestContext, type TestContext as StudioContext } from '../../testing/test-context.ts';
import { insertTestSource } from '../../testing/test-source.ts';
import { findIdentity } from './storage-identity.store.ts';
import { adoptStorage, claimStorage, refuseNewDatabase } from './storage-identity.ts';
import { markerName, readMarker, StorageMismatchError } from './storage-marker.ts';

const ids = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];

async function open(t: TestContext) {
  const logLines: string[] = [];
  const context = await openTestContext(t, { logLines });
  const claimOf = (databaseFolder: string | null = null) => ({
    connection: context.connection,
    settings: context.config,
    databaseFolder,
    log: context.log,
  });
  const claim = (databaseFolder: string | null = null) => claimStorage(claimOf(databaseFolder));
  const refused = async (rule: RegExp) =>
    assert.rejects(claim(), (error: unknown) => {
      assert.ok(error instanceof StorageMismatchError);
      assert.match(error.message, rule);
      assert.match(error.message, /Nothing was changed or deleted.*storage adopt/s);
      return true;
    });
  return { context, claim, refused, adopt: () => adoptStorage(claimOf()), logLines };
}

async function store({ files }: StudioContext, id: string): Promise<void> {
  await files.writeAtomically(`downloads/${id}/received`, (out) => out.append(Buffer.from('audio')));
}

test('gives a new database and empty folders one identity, and recognises them by it', async (t) => {
  const { context, claim } = await open(t);
  const { config } = context;
  await claim('/srv/postgres');
  const id = await findIdentity(context.db);
  const data = await readMarker(config.dataDir);
  assert.deepEqual([data?.id, data?.database_folder], [id, '/srv/postgres']);
  assert.equal((await readMarker(config.uploadsDir))?.id, id);
  await store(context, ids[0] ?? '');
  await claim('/srv/postgres');
  assert.equal(await findIdentity(context.db), id);
  await assert.rejects(refuseNewDatabase(config.dataDir), /was in \/srv\/postgres and is not there now/);
});

test('creates one identity when several services start at once', async (t) => {
  const { context, claim } = await open(t);
  await Promise.all([claim(), claim(), claim()]);
  assert.equal((await readMarker(context.config.uploadsDir))?.id, await findIdentity(context.db));
  assert.deepEqual((await readdir(context.config.uploadsDir)).sort(), ['.staging', markerName]);
});

test('recognises an installation of an earlier version by its files, and logs it', async (t) => {
  const { context, claim, logLines } = await open(t);
  for (const id of ids) {
    await insertTestSource(context, id);
    await store(context, id);
  }
  await chmod(context.config.uploadsDir, 0o755);
  await claim();
  assert.equal((await readMarker(context.config.uploadsDir))?.id, await findIdentity(context.db));
  assert.equal((await stat(context.config.uploadsDir)).mode & 0o777, 0o750);
  assert.equal(logLines.filter((line) => line.includes('recognised by its files (2 of 2')).length, 1);
});

test('rejects audio without a database that references it, with the counts', async (t) => {
  const { context, refused } = await open(t);
  for (const id of ids) await store(context, id);
  await refused(
    /holds audio, but the database is empty \(the database has 0 records .* 2 folders of audio\)/,
  );
  assert.equal(await findIdentity(context.db), null);
  assert.equal(await readMarker(context.config.uploadsDir), null);
});

test('rejects a folder whose disk is not mounted', async (t) => {
  const { context, claim, refused } = await open(t);
  const { uploadsDir } = context.config;
  await claim();
  await insertTestSource(context, ids[0] ?? '');
  await store(context, ids[0] ?? '');
  await rename(uploadsDir, `${uploadsDir}.mounted`);
  await mkdir(uploadsDir);
  await refused(/is empty and has no marker: its disk may not be mounted \(the database has 1 records/);
  await rm(uploadsDir, { recursive: true });
  await rename(`${uploadsDir}.mounted`, uploadsDir);
  await claim();
});

test('rejects the folder of another database by its marker and by its files', async (t) => {
  const { context, claim, refused, adopt } = await open(t);
  const other = await open(t);
  const { uploadsDir } = context.config;
  await claim();
  await other.claim();
  await rm(uploadsDir, { recursive: true });
  await rename(other.context.config.uploadsDir, uploadsDir);
  await refused(/belongs to another database: its marker has the identity/);
  await rm(join(uploadsDir, markerName));
  await insertTestSource(context, ids[0] ?? '');
  await store(context, ids[1] ?? '');
  await refused(/of 1 files that the newest records name, 0 are there/);
  const id = await adopt();
  assert.equal((await readMarker(uploadsDir))?.id, id);
  await claim();
});

test('rejects a marker without an identity in the database, and a damaged marker', async (t) => {
  const { context, claim, refused } = await open(t);
  await claim();
  await context.db.deleteFrom('storage_identity').execute();
  await refused(/this database has none/);
  await writeFile(join(context.config.uploadsDir, markerName), '{"version":2}');
  await assert.rejects(claim(), /is damaged or was written by a newer version/);
});

test('keeps an uploads folder around the data directory traversable for the database account', async (t) => {
  const { context } = await open(t);
  const uploadsDir = join(context.folder, 'around');
  const dataDir = join(uploadsDir, 'data');
  await mkdir(dataDir, { recursive: true });
  await chmod(uploadsDir, 0o755);
  const { connection, log } = context;
  await claimStorage({ connection, settings: { uploadsDir, dataDir }, databaseFolder: null, log });
  assert.equal((await stat(uploadsDir)).mode & 0o777, 0o751);
});
