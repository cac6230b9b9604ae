import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BackupError } from '../platform/backup/backup-error.ts';
import { keepNewest, listBackups } from '../platform/backup/backup-folder.ts';
import { type CreatedBackup, createBackup } from '../platform/backup/create-backup.ts';
import { sizeText } from '../platform/backup/free-space.ts';
import type { Manifest } from '../platform/backup/manifest.ts';
import { verifyBackup } from '../platform/backup/verify-backup.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { isDatabaseUnavailable } from '../platform/db/connection.ts';
import { NoPostgresError } from '../platform/postgres/binaries.ts';
import { type Command, CommandError, type Given, type Terminal, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { readSettings } from './read-settings.ts';
import { reachDatabase } from './with-context.ts';

const dirOption = {
  type: 'string',
  value: 'DIR',
  help: 'The folder of backups; BACKUPS_DIR, or backups in the data directory, unless given',
} as const;

/**
 * Runs backup work with a progress line and converts expected errors to one sentence.
 *
 * @throws CommandError for an expected error
 */
export async function withProgress<T>(
  terminal: Terminal,
  work: (on: {
    signal: AbortSignal;
    onProgress: (fraction: number, stage: string, etaSeconds?: number) => void;
  }) => Promise<T>,
): Promise<T> {
  const progress = createProgress(process.stderr);
  try {
    return await work({
      signal: terminal.signal,
      onProgress: (fraction, stage, etaSeconds) => progress.report(fraction, stage, etaSeconds),
    });
  } catch (error) {
    if (terminal.signal.aborted) throw error;
    if (error instanceof BackupError || error instanceof NoPostgresError)
      throw new CommandError(error.message);
    if (isDatabaseUnavailable(error))
      throw new CommandError('the database cannot be reached: "studio doctor" shows why');
    throw error;
  } finally {
    progress.end();
  }
}

function rootOf(given: Given, config: Config): string {
  const to = given.text('to');
  return to === null ? config.backupsDir : resolve(to);
}

function countOf(files: number): string {
  return `${files} ${files === 1 ? 'file' : 'files'}`;
}

function contentsOf({ kind, files, database, has_models, key }: Manifest): string {
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  const stored = files ? `, ${countOf(files.count)} (${sizeText(files.bytes)})` : '';
  const extras = `${has_models ? ', models' : ''}${key ? ', key file' : ''}`;
  return `${kind === 'full' ? 'full' : 'database only'}: ${rows} rows${stored}${extras}`;
}

function keepOf(given: Given): number | null {
  const text = given.text('keep');
  if (text === null) return null;
  const keep = Number(text);
  if (!/^\d{1,6}$/.test(text) || keep < 1)
    throw new UsageError(`--keep must be a whole number from 1 (got ${text})`);
  return keep;
}

function report(terminal: Terminal, config: Config, made: CreatedBackup): void {
  const { manifest, copied, linked, skipped } = made;
  terminal.print(made.folder);
  terminal.log(contentsOf(manifest));
  terminal.log(
    `${countOf(copied.files)} copied (${sizeText(copied.bytes)}), ${linked.files} unchanged since the backup before (${sizeText(linked.bytes)})`,
  );
  for (const path of skipped.slice(0, 5))
    terminal.log(`not part of the backup, because it is no file: ${path}`);
  for (const path of manifest.missing.first)
    terminal.log(`missing: ${path} is in the database and not on the disk`);
  const { count, first } = manifest.missing;
  if (count > first.length) terminal.log(`missing: ${count - first.length} more`);
  if (manifest.key) {
    terminal.log('It includes the key file: anyone who can read this backup can decrypt the secrets in it.');
  } else {
    const where = config.secretKey === null ? join(config.dataDir, 'secret.key') : 'SECRET_KEY';
    terminal.log(`The key is not part of it: store ${where} elsewhere, or use --include-key.`);
  }
}

/** Backs up the database and the stored files. */
export const backup: Command = {
  name: 'backup',
  operands: [],
  summary: 'Back up the database and all stored files, while the service runs or not',
  options: {
    to: dirOption,
    keep: { type: 'string', value: 'N', help: 'Remove the oldest full backups until N are left' },
    'include-key': { type: 'boolean', help: 'Include the key file: the backup alone then opens the secrets' },
    models: { type: 'boolean', help: 'Include the folder of separation models' },
  },
  notes: [
    'Each backup is a folder that is complete by itself; unchanged files are hard links to the backup before.',
    'Exit code 1 when files that the database names are missing on the disk; the backup is kept all the same.',
  ],
  async run(given, terminal) {
    const config = readSettings();
    const keep = keepOf(given);
    const root = rootOf(given, config);
    if (config.databaseUrl === null && !(await stat(join(config.dataDir, 'postgres')).catch(() => null)))
      throw new CommandError(`there is no database in ${config.dataDir}: set DATA_DIR to the data directory`);
    const made = await withProgress(terminal, async (work) => {
      const reached = await reachDatabase(config, false);
      try {
        const source = { connection: reached.connection, config, clock: systemClock };
        return await createBackup(source, {
          ...work,
          root,
          includesModels: given.has('models'),
          includesKey: given.has('include-key'),
        });
      } finally {
        await reached.leave();
      }
    });
    report(terminal, config, made);
    if (keep !== null) {
      const removed = await keepNewest(root, keep, ({ manifest }) => manifest.kind === 'full');
      for (const name of removed) terminal.log(`removed ${name}`);
    }
    return made.manifest.missing.count === 0 ? 0 : 1;
  },
};

/** Lists the backups in a folder. */
export const backupList: Command = {
  name: 'backup list',
  operands: [],
  summary: 'List the backups, the oldest first',
  options: { to: dirOption },
  async run(given, terminal) {
    const { backups, unreadable } = await listBackups(rootOf(given, readSettings()));
    for (const { name, manifest } of backups) terminal.print(`${name}  ${contentsOf(manifest)}`);
    for (const { name, reason } of unreadable) terminal.log(`${name}: ${reason}`);
    if (backups.length === 0 && unreadable.length === 0) terminal.log('there are no backups');
    return unreadable.length === 0 ? 0 : 1;
  },
};

/** Verifies every byte of a backup. */
export const backupVerify: Command = {
  name: 'backup verify',
  operands: ['DIR'],
  summary: 'Check that a backup is complete and undamaged',
  options: {},
  async run(given, terminal) {
    const folder = resolve(given.operands[0] ?? '');
    const { manifest, unknown } = await withProgress(terminal, (work) =>
      verifyBackup(folder, systemClock, work),
    );
    terminal.print(`complete and undamaged: ${contentsOf(manifest)}`);
    for (const path of unknown.slice(0, 20)) terminal.log(`not part of the backup: ${path}`);
    const { count } = manifest.missing;
    if (count > 0) terminal.log(`${countOf(count)} named in its database were missing when it was made`);
    return 0;
  },
};
