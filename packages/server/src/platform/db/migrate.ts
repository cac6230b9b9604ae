import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { type Connection, clientConfig } from './connection.ts';

const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/** Any number, the same in every process: whoever holds the lock migrates. */
const advisoryLock = 5_380_714_273;

/** A step of the schema. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Every migration of the folder, in the order of their names. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** What is done before migrations run on a database that had some before, under the lock: throwing prevents them. */
export type BeforeMigrations = (pending: readonly string[]) => Promise<void>;

/**
 * Brings the schema up to date: ours, each migration in a transaction of its own, and the queue's. Many processes may
 * ask at once, one does it. Throws when a migration that ran has been changed since, or when the database knows one
 * that this service does not (it is newer). Answers the names of what it ran.
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
    // Ends the lock with the connection.
    await client.end();
  }
}

/** Makes the table that lists the migrations, unless it is there. */
export async function createMigrationList(client: Client): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, ran_at timestamptz not null default now())`);
}

/** Runs one migration in the caller's transaction and lists it. Throws with its name when it fails. */
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

/** The queue keeps its tables in a schema of its own, and brings them up to date itself. */
async function migrateQueue(client: Client): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values as unknown[]) },
    supervise: false,
    schedule: false,
  });
  await boss.start();
  await boss.stop({ graceful: false, close: false });
}
