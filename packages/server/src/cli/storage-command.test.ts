import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { claimStorage } from '../platform/files/storage-identity.ts';
import { markerName, readMarker } from '../platform/files/storage-marker.ts';
import { runStudio } from '../testing/run-studio.ts';
import { databaseUrlOf } from '../testing/service-process.ts';
import { openTestContext } from '../testing/test-context.ts';
import { insertTestSource } from '../testing/test-source.ts';

const ids = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];

async function open(t: TestContext) {
  const context = await openTestContext(t);
  const { files, clock } = context;
  for (const id of ids) {
    await files.writeAtomically(`stems/${id}/vocals.wav`, (out) => out.append(Buffer.from('audio')));
    await files.quarantine.add(`stems/${id}`, 'nobody names it', clock.now());
  }
  const run = (...args: string[]) =>
    runStudio(context.folder, args, { DATABASE_URL: databaseUrlOf(context.connection), LOG_LEVEL: 'silent' });
  return { context, run };
}

test('lists orphans, restores them by path or all at once, and purges them only with --yes', async (t) => {
  const { context, run } = await open(t);
  const listed = await run('storage', 'orphans');
  assert.equal(listed.code, 0, listed.err);
  assert.match(
    listed.out,
    new RegExp(`^stems/${ids[0]}  1 file, 5 bytes, moved .*, kept until .*: nobody names it`),
  );

  const restored = await run('storage', 'restore', `stems/${ids[0]}`);
  assert.deepEqual([restored.code, restored.out], [0, `restored stems/${ids[0]}\n`]);
  assert.deepEqual(await readdir(join(context.config.uploadsDir, 'stems')), [ids[0]]);
  assert.match((await run('storage', 'restore', 'stems/none')).err, /the quarantine has no stems\/none/);
  assert.equal((await run('storage', 'restore')).code, 2);

  const asked = await run('storage', 'purge', '--all');
  assert.deepEqual([asked.code, asked.err], [1, 'nothing was deleted (5 bytes): add --yes to do it\n']);
  assert.equal((await context.files.quarantine.list()).length, 1);
  assert.equal((await run('storage', 'purge', '--all', '--yes')).code, 0);
  assert.deepEqual(await context.files.quarantine.list(), []);
  assert.match((await run('storage', 'orphans')).err, /the quarantine is empty/);
  const none = await run('storage', 'purge', '--all');
  assert.deepEqual([none.code, none.err], [0, 'the quarantine is empty\n']);
});

test('every command rejects a folder of another database; adopt accepts it only with --yes', async (t) => {
  const { context, run } = await open(t);
  const { connection, config, log } = context;
  await claimStorage({ connection, settings: config, databaseFolder: null, log });
  await insertTestSource(context, ids[0] ?? '');
  const { id = '' } = (await readMarker(config.uploadsDir)) ?? {};
  const other = id.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  const marker = { version: 1, id: other, created_at: new Date(0).toISOString() };
  await writeFile(join(config.uploadsDir, markerName), JSON.stringify(marker));

  const refused = await run('user', 'reset', 'nobody@example.org');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /belongs to another database.*storage adopt/s);
  const doctor = await run('doctor');
  assert.match(doctor.out, /✖ storage +.* belong to two databases/);
  assert.match(doctor.out, /– quarantine +2 folders that no record names \(10 bytes\)/);

  const asked = await run('storage', 'adopt');
  assert.equal(asked.code, 1);
  assert.match(asked.out, /database {8}identity .*, 1 records of stored files\nuploads folder {2}identity/);
  assert.match(asked.err, /nothing was changed: add --yes/);
  assert.equal((await readMarker(config.uploadsDir))?.id, other);

  const adopted = await run('storage', 'adopt', '--yes');
  assert.equal(adopted.code, 0, adopted.err);
  assert.equal((await readMarker(config.uploadsDir))?.id, id);
  assert.match((await run('storage', 'adopt')).out, /they belong together: nothing has to be done/);
  assert.match((await run('user', 'reset', 'nobody@example.org')).err, /no account has the email address/);
  await rm(join(config.uploadsDir, markerName));
});
