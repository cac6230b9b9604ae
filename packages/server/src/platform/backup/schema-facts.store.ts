import type { Client } from 'pg';
import type { SequenceEntry } from './manifest.ts';

/** Table of the service according to the database. */
export interface TableFacts {
  readonly name: string;
  /** All columns except generated ones, in their order. */
  readonly columns: readonly string[];
  /** Estimated size in bytes. */
  readonly bytes: number;
}

/** SQL condition that excludes objects of extensions. */
const isOurs = `not exists (select 1 from pg_depend d
  where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/**
 * Returns the tables of the service's schema by name. Unlogged tables (rate limits, transient messages) are left out,
 * because a crash empties them too.
 */
export async function listTables(client: Client): Promise<TableFacts[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; bytes: number }>(`
    select c.relname::text as name, pg_table_size(c.oid)::float8 as bytes,
      coalesce((select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''), '{}') as columns
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and ${isOurs}
    order by c.relname collate "C"`);
  return rows;
}

/** Returns the sequences of the service's logged tables, with their current values. */
export async function listSequences(client: Client): Promise<SequenceEntry[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' and c.relpersistence = 'p' and ${isOurs}
    order by c.relname collate "C"`);
  const entries: SequenceEntry[] = [];
  for (const { name } of rows) {
    const { rows: states } = await client.query<Omit<SequenceEntry, 'name'>>(
      `select last_value, is_called from ${client.escapeIdentifier(name)}`,
    );
    if (states[0]) entries.push({ name, ...states[0] });
  }
  return entries;
}

/** Returns the applied migrations of the database by name, none if it has never been migrated. */
export async function listAppliedMigrations(client: Client): Promise<{ name: string; checksum: string }[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    "select to_regclass('schema_migrations') is not null as there",
  );
  if (!found[0]?.there) return [];
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name collate "C"',
  );
  return rows;
}

/**
 * Returns all stored files that rows reference. These are the values of all text columns whose names end with `_path`,
 * where features store paths below the uploads folder.
 */
export async function listNamedFiles(client: Client): Promise<Set<string>> {
  const { rows: columns } = await client.query<{ table: string; column: string }>(`
    select c.relname::text as "table", a.attname::text as "column"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and a.attnum > 0 and not a.attisdropped and a.atttypid = 'text'::regtype and a.attname like '%\\_path'
      and ${isOurs}
    order by 1, 2`);
  const paths = new Set<string>();
  for (const { table, column } of columns) {
    const name = client.escapeIdentifier(column);
    const { rows } = await client.query<{ path: string }>(
      `select distinct ${name} as path from ${client.escapeIdentifier(table)} where ${name} is not null`,
    );
    for (const { path } of rows) paths.add(path);
  }
  return paths;
}

/** Returns whether any table except the list of migrations has a row. */
export async function hasRows(client: Client): Promise<boolean> {
  for (const { name } of await listTables(client)) {
    if (name === 'schema_migrations') continue;
    const { rows } = await client.query<{ some: boolean }>(
      `select exists (select 1 from ${client.escapeIdentifier(name)}) as some`,
    );
    if (rows[0]?.some) return true;
  }
  return false;
}

/** Returns the names of all objects in the service's and the queue's schema, none for an empty database. */
export async function listSchemaObjects(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in (current_schema(), 'pgboss') and c.relkind in ('r', 'p', 'v', 'm', 'f') and ${isOurs}
    order by 1`);
  return rows.map(({ name }) => name);
}

/** Returns the server's version as the server reports it, such as `18.4`. */
export async function serverVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return rows[0]?.server_version ?? '';
}
