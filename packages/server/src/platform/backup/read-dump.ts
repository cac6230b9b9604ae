import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { messageOf } from '../errors.ts';
import { BackupError } from './backup-error.ts';
import { dumpPath, type TableEntry } from './manifest.ts';

const tab = 0x09;
const newline = 0x0a;

/**
 * Passes COPY text on and checks its form: so many rows of so many columns, each row ended by a newline. Fails with a
 * BackupError otherwise, at the latest at the end.
 */
export function createDumpCheck(table: Pick<TableEntry, 'name' | 'columns' | 'rows'>): Transform {
  const wantedTabs = Math.max(0, table.columns.length - 1);
  const name = dumpPath(table.name);
  let rows = 0;
  let tabs = 0;
  let last = newline;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      for (const byte of piece) {
        if (byte === tab) tabs += 1;
        else if (byte === newline) {
          rows += 1;
          if (tabs !== wantedTabs)
            return done(
              new BackupError(
                `${name} is damaged: row ${rows} has ${tabs + 1} columns instead of ${wantedTabs + 1}`,
              ),
            );
          tabs = 0;
        }
      }
      last = piece.at(-1) ?? last;
      done(null, piece);
    },
    flush(done) {
      if (last !== newline) done(new BackupError(`${name} is damaged: its last row is cut off`));
      else if (rows !== table.rows)
        done(new BackupError(`${name} is damaged: it has ${rows} rows, and the manifest says ${table.rows}`));
      else done();
    },
  });
}

/**
 * Sends the rows of a table's dump, checked, into a writable.
 *
 * @throws BackupError with the file's name when it cannot be decompressed or is not of the form that the manifest says
 */
export async function readDump(
  folder: string,
  table: TableEntry,
  sink: (rows: AsyncIterable<Buffer>) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await readCompressed(createReadStream(join(folder, dumpPath(table.name))), table, sink, signal);
}

/** {@link readDump} of compressed bytes from anywhere. */
export async function readCompressed(
  compressed: Readable,
  table: Pick<TableEntry, 'name' | 'columns' | 'rows'>,
  sink: (rows: AsyncIterable<Buffer>) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await pipeline(compressed, createGunzip(), createDumpCheck(table), sink, { signal });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code === 'string' && code.startsWith('Z_'))
      throw new BackupError(`${dumpPath(table.name)} is damaged: ${messageOf(error)}`);
    throw error;
  }
}
