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

/**
 * Brings the schema up to date: ours, each migration in a transaction of its own, and the queue's. Many processes may
 * ask at once, one does it. Throws when a migration that ran has been changed since, or when the database knows one
 * that this service does not (it is newer). Answers the names of what it ran.
 */
export async function migrate(connection: Connection, folder?: string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = new Client(clientConfig(connection, 0));
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    const ran = await runMigrations(client, migrations);
    await migrateQueue(client);
    return ran;
  } finally {
    // Ends the lock with the connection.
    await client.end();
  }
}

async function runMigrations(client: Client, migrations: readonly Migration[]): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, ran_at timestamptz not null default now())`);
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
  const ran: string[] = [];
  for (const migration of migrations) {
    const before = checksums.get(migration.name);
    if (before === migration.checksum) continue;
    if (before !== undefined)
      throw new Error(
        `the migration ${migration.name} has been changed after it ran: a change needs a migration of its own`,
      );
    await client.query('begin');
    try {
      await client.query(migration.sql);
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new Error(
        `the migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`,
        {
          cause: error,
        },
      );
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
