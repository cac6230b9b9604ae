import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { applyMigration, createMigrationList, type Migration } from '../db/migrate.ts';
import { messageOf } from '../errors.ts';
import { setExactText } from './backup-connection.ts';
import { BackupError } from './backup-error.ts';
import type { DumpWork } from './dump-database.store.ts';
import { type DatabaseEntry, dumpPath, type TableEntry } from './manifest.ts';
import { readDump } from './read-dump.ts';
import { listTables } from './schema-facts.store.ts';

/**
 * Restores an empty database to the state of a backup, in one transaction. Runs the same migrations, loads every table
 * and sets the sequences. Needs only the owner's privileges, not those of a superuser: foreign keys are dropped and
 * added again, which checks all rows; the service's triggers are disabled meanwhile.
 *
 * @param migrations migrations that the backup lists, in their order
 * @throws BackupError with the file's name if a table does not match; nothing is changed then
 */
export async function loadDatabase(
  client: Client,
  folder: string,
  database: DatabaseEntry,
  migrations: readonly Migration[],
  work: DumpWork,
): Promise<void> {
  await setExactText(client);
  await client.query('begin');
  await createMigrationList(client);
  for (const migration of migrations) await applyMigration(client, migration);
  await refuseOtherTables(client, database.tables);
  const restoreRules = await takeRulesAway(client, database.tables);
  // Migrations may have inserted rows.
  const all = database.tables.map(({ name }) => client.escapeIdentifier(name)).join(', ');
  if (all !== '') await client.query(`truncate ${all}`);
  for (const table of database.tables) await loadTable(client, folder, table, work);
  for (const { name, last_value, is_called } of database.sequences)
    await client.query('select setval($1::regclass, $2, $3)', [
      client.escapeIdentifier(name),
      last_value,
      is_called,
    ]);
  await restoreRules();
  await countRows(client, database.tables);
  for (const { name } of database.tables) await client.query(`analyze ${client.escapeIdentifier(name)}`);
  work.signal.throwIfAborted();
  await client.query('commit');
}

/** Checks that the backup has exactly the tables and columns that its migrations create. */
async function refuseOtherTables(client: Client, tables: readonly TableEntry[]): Promise<void> {
  const facts = new Map((await listTables(client)).map((table) => [table.name, table.columns]));
  for (const { name, columns } of tables) {
    const wanted = facts.get(name);
    if (!wanted)
      throw new BackupError(`${dumpPath(name)}: the migrations of this backup make no table "${name}"`);
    const sorted = (list: readonly string[]) => list.toSorted().join(', ');
    if (sorted(columns) !== sorted(wanted))
      throw new BackupError(
        `${dumpPath(name)} has the columns ${sorted(columns)}, and the migrations of this backup make ${sorted(wanted)}`,
      );
  }
  const missing = [...facts.keys()].find((name) => !tables.some((table) => table.name === name));
  if (missing !== undefined) throw new BackupError(`the backup has no dump of the table "${missing}"`);
}

const triggerStates: Readonly<Record<string, string>> = {
  O: 'enable',
  A: 'enable always',
  R: 'enable replica',
};

/**
 * Drops foreign keys and indexes that belong to no constraint, and disables the service's triggers. The returned
 * function restores all of them. Creating an index over all rows is faster than updating it row by row.
 */
async function takeRulesAway(client: Client, tables: readonly TableEntry[]): Promise<() => Promise<void>> {
  const names = tables.map(({ name }) => name);
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select t.relname::text as "table", k.conname::text as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class t on t.oid = k.conrelid
     where k.contype = 'f' and t.relnamespace = current_schema()::regnamespace and t.relname = any($1::text[])`,
    [names],
  );
  const { rows: triggers } = await client.query<{ table: string; name: string; state: string }>(
    `select t.relname::text as "table", g.tgname::text as name, g.tgenabled::text as state
     from pg_trigger g join pg_class t on t.oid = g.tgrelid
     where not g.tgisinternal and t.relnamespace = current_schema()::regnamespace and t.relname = any($1::text[])`,
    [names],
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select c.relname::text as name, pg_get_indexdef(c.oid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where t.relnamespace = current_schema()::regnamespace and t.relname = any($1::text[])
       and not exists (select 1 from pg_constraint k where k.conindid = c.oid)`,
    [names],
  );
  const quoted = (name: string) => client.escapeIdentifier(name);
  for (const { table, name } of keys)
    await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`);
  for (const { table, name } of triggers)
    await client.query(`alter table ${quoted(table)} disable trigger ${quoted(name)}`);
  for (const { name } of indexes) await client.query(`drop index ${quoted(name)}`);
  return async () => {
    for (const { definition } of indexes) await client.query(definition);
    for (const { table, name, definition } of keys) {
      await client
        .query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
        .catch((error: unknown) => {
          throw new BackupError(`${dumpPath(table)} breaks the rule ${name}: ${messageOf(error)}`);
        });
    }
    for (const { table, name, state } of triggers) {
      const verb = triggerStates[state];
      if (verb) await client.query(`alter table ${quoted(table)} ${verb} trigger ${quoted(name)}`);
    }
  };
}

async function loadTable(client: Client, folder: string, table: TableEntry, work: DumpWork): Promise<void> {
  const list = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const target = client.query(copyFrom(`copy ${client.escapeIdentifier(table.name)} (${list}) from stdin`));
  const ended = new Promise<void>((resolve, reject) => {
    target.once('finish', () => resolve());
    target.on('error', reject);
  });
  // Awaited below; an error of the reader takes precedence.
  ended.catch(() => undefined);
  const send = async (rows: AsyncIterable<Buffer>) => {
    for await (const piece of rows) {
      if (target.destroyed) break;
      work.onBytes(piece.length);
      if (!target.write(piece)) await Promise.race([drained(target), ended]);
    }
    target.end();
    await ended;
  };
  try {
    await readDump(folder, table, send, work.signal);
  } catch (error) {
    // The caller closes the connection, which also ends the COPY.
    if (error instanceof BackupError) throw error;
    work.signal.throwIfAborted();
    throw new BackupError(`${dumpPath(table.name)} cannot be loaded: ${messageOf(error)}`);
  }
}

function drained(target: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => target.once('drain', () => resolve()));
}

async function countRows(client: Client, tables: readonly TableEntry[]): Promise<void> {
  for (const { name, rows: wanted } of tables) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*) as count from ${client.escapeIdentifier(name)}`,
    );
    if (rows[0]?.count !== wanted)
      throw new BackupError(
        `the table "${name}" has ${rows[0]?.count} rows after the restore, and the backup has ${wanted}`,
      );
  }
}
