import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { clientConfig } from '../platform/db/connection.ts';
import { createLog } from '../platform/log.ts';
import { startOwnPostgres } from '../platform/postgres/own-postgres.ts';
import { throwAwaySettings } from '../platform/postgres/postmaster.ts';
import { DirectoryLockedError, lockDirectory } from '../platform/process/directory-lock.ts';
import { untilUnused } from './database-use.ts';
import { testDataDir } from './test-postgres.ts';

/** Time without clients and new databases after which the tests are considered finished, in ms. */
const longestQuietMs = 120_000;
const log = createLog('warn');

/** Runs the PostgreSQL of the test runs while it is used. A separate program, so that it outlives every test. */
async function keep(): Promise<void> {
  const unlock = await lockDirectory(testDataDir);
  // The throwaway settings are safe, because the data is worthless and a killed run may have left it in any state.
  const own = await startOwnPostgres({ dataDir: testDataDir, log, settings: throwAwaySettings });
  const client = new Client(clientConfig({ ...own.connection, database: 'postgres' }, 5000));
  await client.connect();
  await untilUnused(client, longestQuietMs);
  // Its connection keeps others from creating databases, and ends with the server.
  client.on('error', () => undefined);
  await own.stop();
  await client.end().catch(() => undefined);
  await rm(own.connection.host ?? '', { recursive: true, force: true });
  await unlock();
}

keep().then(
  () => process.exit(0),
  (error: unknown) => {
    if (!(error instanceof DirectoryLockedError)) log.error({ err: error }, 'no test database');
    process.exit(1);
  },
);
