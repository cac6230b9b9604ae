import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
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

/**
 * Where the test run's PostgreSQL lives. One for everybody of an account, so that a second run finds it warm; apart from
 * that of earlier versions, which knows no password.
 */
export const testDataDir = join(tmpdir(), `stem-studio-test-2-${process.getuid?.() ?? 'user'}`);

const longestStartMs = 120_000;
/** How often a database is asked for of a server that goes away in that moment. */
const mostAttempts = 5;
const keeper = fileURLToPath(new URL('test-postgres-keeper.ts', import.meta.url));

/** The database in which a keeper announces itself, and whose visitors it counts; null before there is one. */
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
 * A PostgreSQL for tests: `TEST_DATABASE_URL` if it is set (a superuser of a server that may be filled and emptied),
 * else one of our own, started by whoever comes first and stopped by its keeper when nobody has used it for a while.
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
    // Of many keepers one gets the lock; the others end at once.
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

/** A database of a test's own, with the whole schema in it. */
export interface TestDatabase {
  readonly connection: Connection;
  drop(): Promise<void>;
}

async function withAdmin<T>(connection: Connection, work: (client: Client) => Promise<T>): Promise<T> {
  // A busy machine may take its time to let somebody in.
  const client = new Client({ ...clientConfig(connection, 0), connectionTimeoutMillis: 60_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

let template: Promise<string> | undefined;

/** The migrated database that tests are cloned from, named after its migrations. Made once, whoever asks first. */
async function templateName(admin: Connection): Promise<string> {
  const sums = (await readMigrations()).map((migration) => migration.checksum).join('');
  // A name may have 63 characters, however many migrations there are.
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

/** Clones a database for one test. A server that its keeper has just ended is started again. */
export async function createTestDatabase(): Promise<TestDatabase> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await cloneTemplate();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || attempt === mostAttempts) throw error;
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
    client.query(
      `create database ${client.escapeIdentifier(name)} template ${client.escapeIdentifier(from)} strategy file_copy`,
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
 * Creates a database with the schema that stood before a migration, named by its file. `upgrade` brings it up to date.
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
