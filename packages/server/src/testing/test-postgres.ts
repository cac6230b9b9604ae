import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, DatabaseError } from 'pg';
import { pause } from '../platform/clock.ts';
import {
  type Connection,
  clientConfig,
  isDatabaseUnavailable,
  withDatabase,
} from '../platform/db/connection.ts';
import { migrate, readMigrations } from '../platform/db/migrate.ts';
import { newId } from '../platform/ids.ts';
import { readAccess } from '../platform/postgres/cluster-password.ts';
import { whileCreating } from './database-use.ts';

/**
 * Data directory of the PostgreSQL for tests. One per account, so that a second run finds it started; separate from
 * that of earlier versions, which has no password.
 */
export const testDataDir = join(tmpdir(), `stem-studio-test-2-${process.getuid?.() ?? 'user'}`);

const longestStartMs = 120_000;
/** PostgreSQL's code of the error that a database does not exist. */
const invalidCatalogName = '3D000';
/** Most attempts to create a database on a server that stops at that moment. */
const mostAttempts = 5;
const keeper = fileURLToPath(new URL('test-postgres-keeper.ts', import.meta.url));

/** Returns the connection to the database with which a keeper counts its clients; null before there is one. */
export async function keeperConnection(): Promise<Connection | null> {
  const folder = join(testDataDir, 'postgres');
  const access = await readAccess(folder).catch(() => null);
  if (!access) return null;
  return { host: folder, port: 5432, user: 'stem_studio', password: access.password, database: 'postgres' };
}

async function answers(connection: Connection): Promise<boolean> {
  const client = new Client(clientConfig(connection, 5000));
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Returns a connection to a PostgreSQL for tests. This is `TEST_DATABASE_URL` if set (a superuser of a server that may
 * be filled and emptied), else a shared server. The first caller starts it, and its keeper stops it when it has been
 * unused for a while.
 */
export async function testConnection(): Promise<Connection> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { connectionString: given };
  mkdirSync(testDataDir, { recursive: true });
  chmodSync(testDataDir, 0o755);
  const deadline = performance.now() + longestStartMs;
  let lastSpawnMs = Number.NEGATIVE_INFINITY;
  while (performance.now() < deadline) {
    const connection = await keeperConnection();
    if (connection && (await answers(connection))) return connection;
    // Only one of several keepers gets the lock; the others end at once.
    if (performance.now() - lastSpawnMs > 5000) {
      lastSpawnMs = performance.now();
      const log = await open(join(testDataDir, 'keeper.log'), 'a');
      spawn(process.execPath, [keeper], { detached: true, stdio: ['ignore', log.fd, log.fd] }).unref();
      await log.close();
    }
    await pause(50);
  }
  throw new Error(
    `no test database after ${longestStartMs / 1000} s: see ${join(testDataDir, 'keeper.log')}`,
  );
}

/** A separate database of a test, with the whole schema. */
export interface TestDatabase {
  readonly connection: Connection;
  drop(): Promise<void>;
}

async function withAdmin<T>(connection: Connection, work: (client: Client) => Promise<T>): Promise<T> {
  // A busy machine may take long to accept a connection.
  const client = new Client({ ...clientConfig(connection, 0), connectionTimeoutMillis: 60_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

let template: Promise<string> | undefined;

/** Returns the name of the migrated template database, named after its migrations. The first caller creates it. */
async function templateName(admin: Connection): Promise<string> {
  const sums = (await readMigrations()).map((migration) => migration.checksum).join('');
  // PostgreSQL limits names to 63 characters, however many migrations there are.
  const name = `template_${createHash('sha256').update(sums).digest('hex').slice(0, 40)}`;
  await withAdmin(admin, async (client) => {
    await client.query('select pg_advisory_lock(77)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return;
    const unfinished = `${name}_0`;
    await client.query(`drop database if exists ${client.escapeIdentifier(unfinished)} with (force)`);
    await client.query(`create database ${client.escapeIdentifier(unfinished)}`);
    await migrate(withDatabase(admin, unfinished));
    await client.query(
      `alter database ${client.escapeIdentifier(unfinished)} rename to ${client.escapeIdentifier(name)}`,
    );
  });
  return name;
}

/** Clones a database for one test. Restarts the server if its keeper has just stopped it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await cloneTemplate();
    } catch (error) {
      // A keeper stops after a quiet time and removes the template; the next one starts with an empty server.
      const isTemplateGone = error instanceof DatabaseError && error.code === invalidCatalogName;
      if (!(isDatabaseUnavailable(error) || isTemplateGone) || attempt === mostAttempts) throw error;
      template = undefined;
      await pause(200);
    }
  }
}

async function cloneTemplate(): Promise<TestDatabase> {
  const admin = await testConnection();
  template ??= templateName(admin);
  const from = await template;
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  await withAdmin(admin, (client) =>
    whileCreating(client, () =>
      client.query(
        `create database ${client.escapeIdentifier(name)} template ${client.escapeIdentifier(from)} strategy file_copy`,
      ),
    ),
  );
  return {
    connection: withDatabase(admin, name),
    drop: () =>
      withAdmin(admin, async (client) => {
        await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
      }),
  };
}

/**
 * Creates a database with the schema before a migration. `upgrade` applies the remaining migrations.
 *
 * @param migration file name of the migration
 */
export async function createOlderDatabase(
  migration: string,
): Promise<TestDatabase & { readonly upgrade: () => Promise<void> }> {
  const admin = await testConnection();
  const name = `older_${process.pid}_${newId().slice(-12)}`;
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-older-'));
  for (const { name: file, sql } of await readMigrations())
    if (file < migration) await writeFile(join(folder, file), sql);
  await withAdmin(admin, (client) => client.query(`create database ${client.escapeIdentifier(name)}`));
  const connection = withDatabase(admin, name);
  await migrate(connection, folder);
  await rm(folder, { recursive: true });
  return {
    connection,
    upgrade: async () => void (await migrate(connection)),
    drop: () =>
      withAdmin(admin, async (client) => {
        await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
      }),
  };
}
