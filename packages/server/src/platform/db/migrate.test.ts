import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
import { testConnection } from '../../testing/test-postgres.ts';
import { clientConfig, withDatabase } from './connection.ts';
import { migrate } from './migrate.ts';

test('runs each migration once, in order, atomically, in one of many processes', async (t) => {
  const admin = new Client(clientConfig(await testConnection(), 0));
  await admin.connect();
  const name = `migrate_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  await admin.query(`create database ${name}`);
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-migrations-'));
  t.after(async () => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
    await rm(folder, { recursive: true });
  });
  const connection = withDatabase(await testConnection(), name);
  const write = (file: string, text: string) => writeFile(join(folder, file), text);

  await write('0001-first.sql', 'create table one (n int); insert into one values (1);');
  await write('0002-second.sql', 'alter table one add m int;');
  await write('notes.txt', 'not a migration');
  const ran = await Promise.all([migrate(connection, folder), migrate(connection, folder)]);
  assert.deepEqual(ran.flat(), ['0001-first.sql', '0002-second.sql']);
  assert.deepEqual(await migrate(connection, folder), []);

  await write('0003-broken.sql', 'create table two (n int); select nonsense;');
  await assert.rejects(
    migrate(connection, folder),
    /0003-broken.sql failed: column "nonsense" does not exist/,
  );
  await write('0003-broken.sql', 'create table two (n int);');
  assert.deepEqual(await migrate(connection, folder), ['0003-broken.sql']);

  await write('0001-first.sql', 'create table other (n int);');
  await assert.rejects(migrate(connection, folder), /0001-first.sql has been changed after it ran/);
  await rm(join(folder, '0001-first.sql'));
  await assert.rejects(migrate(connection, folder), /0001-first.sql, which this version does not know/);
});
