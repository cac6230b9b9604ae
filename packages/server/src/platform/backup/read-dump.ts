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
 * Returns a stream that passes COPY text through and checks it. Checks the number of rows and columns and the newline
 * of each row. Fails with a BackupError on a mismatch, at the latest at the end.
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
 * Reads and checks a table's dump and passes its rows to `sink`.
 *
 * @throws BackupError with the file's name if it cannot be decompressed or does not match the manifest
 */
export async function readDump(
  folder: string,
  table: TableEntry,
  sink: (rows: AsyncIterable<Buffer>) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await readCompressed(createReadStream(join(folder, dumpPath(table.name))), table, sink, signal);
}

/** Reads a dump like {@link readDump}, from any stream of compressed bytes. */
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
