import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../testing/library-steps.ts';
import { createLog } from '../log.ts';
import { NoPostgresError } from './binaries.ts';
import { findCluster, prepareCluster } from './cluster.ts';

const log = createLog('silent');

test('rejects a link to a missing database and creates nothing', async (t) => {
  const folder = await makeFolder(t);
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const target = join(folder, 'gone', 'postgres');
  await symlink(target, join(dataDir, 'postgres'));
  await assert.rejects(prepareCluster({ dataDir, log }), (error: unknown) => {
    assert.ok(error instanceof NoPostgresError);
    assert.ok(error.message.includes(target), error.message);
    assert.match(error.message, /not mounted.*Restore that folder from its backup/s);
    return true;
  });
  assert.deepEqual(await readdir(folder), ['data']);
  assert.deepEqual(await readdir(dataDir), ['postgres']);
});

test('rejects and keeps a folder that contains a part of a database', async (t) => {
  const dataDir = await makeFolder(t);
  await mkdir(join(dataDir, 'postgres', 'base'), { recursive: true });
  await writeFile(join(dataDir, 'postgres', 'base', '1'), 'rows');
  await assert.rejects(prepareCluster({ dataDir, log }), /not empty \(base, …\).*PG_VERSION is missing/s);
  assert.deepEqual(await readdir(join(dataDir, 'postgres', 'base')), ['1']);
});

test('does not create a database when searching for one', async (t) => {
  const dataDir = await makeFolder(t);
  await assert.rejects(findCluster(dataDir), /no database in .* yet: start the service first/);
  assert.deepEqual(await readdir(dataDir), []);
});

test('creates no database if one should exist already', async (t) => {
  const dataDir = await makeFolder(t);
  const beforeCreate = () => Promise.reject(new Error('it should be here'));
  await assert.rejects(prepareCluster({ dataDir, log, beforeCreate }), /it should be here/);
  assert.deepEqual(await readdir(dataDir), []);
});
