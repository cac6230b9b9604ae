import { join } from 'node:path';
import type { Logger } from 'pino';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Connection } from '../db/connection.ts';
import { type BeforeMigrations, migrate } from '../db/migrate.ts';
import { messageOf } from '../errors.ts';
import { withBackupConnection } from './backup-connection.ts';
import { BackupError } from './backup-error.ts';
import { backupName, listBackups, removeBackups } from './backup-folder.ts';
import { createDatabaseBackup } from './create-backup.ts';
import { hasRows } from './schema-facts.store.ts';

/** Number of schema versions whose newest backup from before a migration is kept. */
const kept = 3;
const namePrefix = 'before-migration-';

/**
 * Removes the oldest backups from before migrations, but keeps the newest of each schema. Repeated restarts after a
 * failed migration must not displace the backup from before it.
 */
async function removeOldest(root: string): Promise<void> {
  const backups = (await listBackups(root)).backups.filter(({ name }) => name.startsWith(namePrefix));
  const schemas = new Map(
    backups.map((backup) => [backup.manifest.database.migrations.map(({ name }) => name).join(), backup]),
  );
  // A map keeps the insertion order of the first entry per schema, so the newest ones are sorted again.
  const newest = [...schemas.values()]
    .toSorted((a, b) => backups.indexOf(a) - backups.indexOf(b))
    .slice(-kept);
  await removeBackups(
    root,
    backups.filter((backup) => !newest.includes(backup)),
  );
}

type MigrationConfig = Pick<
  Config,
  | 'backupsDir'
  | 'isBackingUpBeforeMigrations'
  | 'dataDir'
  | 'uploadsDir'
  | 'modelsDir'
  | 'secretKey'
  | 'previousSecretKeys'
>;

/**
 * Migrates the schema like `migrate`. If that changes a database with data in it, the database is backed up first into
 * the folder of backups, and the newest three such backups are kept.
 *
 * @param folder folder of the migrations; default: the service's own
 * @returns the names of the migrations that ran
 * @throws BackupError if the backup fails: the database is left unchanged
 */
export async function migrateWithBackup(
  connection: Connection,
  config: MigrationConfig,
  log: Logger,
  folder?: string,
): Promise<string[]> {
  const { signal } = new AbortController();
  const before: BeforeMigrations = async (pending) => {
    if (!config.isBackingUpBeforeMigrations) {
      log.warn({ pending }, 'BACKUP_BEFORE_MIGRATION is off: the database is migrated without a backup');
      return;
    }
    if (!(await withBackupConnection(connection, signal, hasRows))) return;
    const root = config.backupsDir;
    const name = backupName(systemClock.now(), namePrefix);
    log.info({ pending, folder: join(root, name) }, 'the database is backed up before it is migrated');
    try {
      const source = { connection, config, clock: systemClock };
      const written = await createDatabaseBackup(source, { root, name, signal, onProgress: () => undefined });
      await removeOldest(root);
      log.info({ folder: written }, 'the backup before the migration is complete');
    } catch (error) {
      throw new BackupError(
        `the database was not migrated, because it could not be backed up first: ${messageOf(error)}. Set BACKUPS_DIR to a folder with enough space; BACKUP_BEFORE_MIGRATION=off migrates without a backup`,
        { cause: error },
      );
    }
  };
  return migrate(connection, folder, before);
}
