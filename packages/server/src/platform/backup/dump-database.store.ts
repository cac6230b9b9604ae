import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { setExactText } from './backup-connection.ts';
import { BackupError } from './backup-error.ts';
import { backupParts, type DatabaseEntry, dumpPath, type TableEntry } from './manifest.ts';
import {
  listAppliedMigrations,
  listSequences,
  listTables,
  serverVersion,
  type TableFacts,
} from './schema-facts.store.ts';

/** Cancellation and progress of a dump. */
export interface DumpWork {
  readonly signal: AbortSignal;
  /** Called with the size of each chunk of text from the server. */
  readonly onBytes: (bytes: number) => void;
}

/** Begins the transaction of a dump, whose reads see one snapshot of the database. */
export async function beginSnapshot(client: Client): Promise<void> {
  await setExactText(client);
  await client.query('begin isolation level repeatable read read only');
}

/**
 * Writes every table as a compressed file of COPY text below `folder`. The caller has begun the snapshot.
 *
 * @throws BackupError if the database has no schema of this service
 */
export async function dumpDatabase(client: Client, folder: string, work: DumpWork): Promise<DatabaseEntry> {
  const migrations = await listAppliedMigrations(client);
  if (migrations.length === 0) throw new BackupError('the database is empty: there is nothing to back up');
  await mkdir(join(folder, backupParts.database), { mode: 0o750 });
  const tables: TableEntry[] = [];
  for (const table of await listTables(client)) tables.push(await dumpTable(client, folder, table, work));
  return {
    server_version: await serverVersion(client),
    migrations,
    tables,
    sequences: await listSequences(client),
  };
}

async function dumpTable(
  client: Client,
  folder: string,
  { name, columns }: TableFacts,
  { signal, onBytes }: DumpWork,
): Promise<TableEntry> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const rows = client.query(copyTo(`copy ${client.escapeIdentifier(name)} (${list}) to stdout`));
  const counter = new Transform({
    transform(piece: Buffer, _encoding, done) {
      onBytes(piece.length);
      done(null, piece);
    },
  });
  const hash = createHash('sha256');
  let bytes = 0;
  const to = await open(join(folder, dumpPath(name)), 'wx', 0o640);
  try {
    const write = async (compressed: AsyncIterable<Buffer>) => {
      for await (const piece of compressed) {
        hash.update(piece);
        for (let done = 0; done < piece.length; )
          done += (await to.write(piece, done, piece.length - done)).bytesWritten;
        bytes += piece.length;
      }
    };
    await pipeline(rows, counter, createGzip({ level: 1 }), write, { signal });
    await to.sync();
  } finally {
    await to.close();
  }
  return { name, columns: [...columns], rows: rows.rowCount, bytes, sha256: hash.digest('hex') };
}
