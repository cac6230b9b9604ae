import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { type Connection, clientConfig } from './connection.ts';

const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/** Arbitrary lock key, the same in every process: the holder of the lock migrates. */
const advisoryLock = 5_380_714_273;

/** Schema migration. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Returns all migrations of the folder, in the order of their names. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Hook that runs before pending migrations of an existing database, under the lock. An error prevents the migrations.
 */
export type BeforeMigrations = (pending: readonly string[]) => Promise<void>;

/**
 * Migrates the schema to the current version: the service's migrations, each in a separate transaction, and the
 * queue's. Concurrent calls are serialised by a lock. Returns the names of the migrations that ran.
 * @throws if a migration was changed after it ran, or if the database has an unknown migration (it is newer than this
 *   service)
 */
export async function migrate(
  connection: Connection,
  folder?: string,
  before?: BeforeMigrations,
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = new Client(clientConfig(connection, 0));
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    const ran = await runMigrations(client, migrations, before);
    await migrateQueue(client);
    return ran;
  } finally {
    // Closing the connection releases the lock.
    await client.end();
  }
}

/** Creates the table of applied migrations, unless it exists. */
export async function createMigrationList(client: Client): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, ran_at timestamptz not null default now())`);
}

/** Runs one migration in the caller's transaction and records it. Throws an error with its name if it fails. */
export async function applyMigration(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the migration ${migration.name} failed: ${reason}`, { cause: error });
  }
}

async function runMigrations(
  client: Client,
  migrations: readonly Migration[],
  before?: BeforeMigrations,
): Promise<string[]> {
  await createMigrationList(client);
  const known = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const checksums = new Map(known.rows.map((row) => [row.name, row.checksum]));
  const unknown = [...checksums.keys()].find(
    (name) => !migrations.some((migration) => migration.name === name),
  );
  if (unknown)
    throw new Error(
      `the database has the migration ${unknown}, which this version does not know: it is newer`,
    );
  const pending = migrations.filter(({ name, checksum }) => {
    const ranBefore = checksums.get(name);
    if (ranBefore !== undefined && ranBefore !== checksum)
      throw new Error(
        `the migration ${name} has been changed after it ran: a change needs a migration of its own`,
      );
    return ranBefore === undefined;
  });
  const ran: string[] = [];
  if (checksums.size > 0 && pending.length > 0) await before?.(pending.map(({ name }) => name));
  for (const migration of pending) {
    await client.query('begin');
    try {
      await applyMigration(client, migration);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
    ran.push(migration.name);
  }
  return ran;
}

/** Migrates the tables of pg-boss, which are in a separate schema. */
async function migrateQueue(client: Client): Promise<void> {
  // Loaded only now: reading the migrations of a backup does without it.
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values as unknown[]) },
    supervise: false,
    schedule: false,
  });
  await boss.start();
  await boss.stop({ graceful: false, close: false });
}
