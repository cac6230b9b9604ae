import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
import { pause } from '../platform/clock.ts';
import { clientConfig } from '../platform/db/connection.ts';
import { createLog } from '../platform/log.ts';
import { startOwnPostgres } from '../platform/postgres/own-postgres.ts';
import { throwAwaySettings } from '../platform/postgres/postmaster.ts';
import { cleanUp } from './clean-up.ts';
import { untilUnused, whileCreating } from './database-use.ts';

test('a server of test databases', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stem-studio-use-'));
  await chmod(dataDir, 0o755);
  cleanUp(t, () => rm(dataDir, { recursive: true, force: true }));
  const log = createLog('silent');
  const own = await startOwnPostgres({ dataDir, log, settings: throwAwaySettings });
  cleanUp(t, () => own.stop());
  const connect = async (): Promise<Client> => {
    const client = new Client(clientConfig({ ...own.connection, database: 'postgres' }, 5000));
    await client.connect();
    return client;
  };
  const keeper = await connect();
  cleanUp(t, () => keeper.end());
  let isUnused = false;

  await t.test(
    'is in use while a test that has created its database is not yet connected to it',
    async () => {
      const unused = untilUnused(keeper, 2000).then(() => void (isUnused = true));
      for (let count = 0; count < 4; count++) {
        const creator = await connect();
        await whileCreating(creator, () => creator.query(`create database test_${count}`));
        await creator.end();
        await pause(1200);
        assert.equal(isUnused, false, `after ${count + 1} databases`);
      }
      await unused;
    },
  );

  await t.test('lets nobody create a database once it is found unused', async () => {
    const creator = await connect();
    await creator.query('set lock_timeout = 200');
    await assert.rejects(
      whileCreating(creator, () => creator.query('create database late')),
      /lock timeout/,
    );
    await creator.end();
  });
});
