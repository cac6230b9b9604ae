import { join, resolve } from 'node:path';
import { sizeText } from '../platform/backup/free-space.ts';
import { type Restored, restoreBackup } from '../platform/backup/restore-backup.ts';
import { verifyBackup } from '../platform/backup/verify-backup.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { withProgress } from './backup-command.ts';
import type { Command, Terminal } from './command.ts';
import { loadWorkers } from './load-workers.ts';
import { readSettings } from './read-settings.ts';
import { reachDatabase } from './with-context.ts';

function report(terminal: Terminal, config: Config, { manifest, ...done }: Restored): void {
  const keyFile = join(config.dataDir, 'secret.key');
  terminal.print(`restored the backup of ${manifest.created_at}`);
  terminal.print(`database: ${done.rows} rows in ${manifest.database.tables.length} tables`);
  if (manifest.files)
    terminal.print(`files: ${done.files} (${sizeText(done.bytes)}) in ${config.uploadsDir}`);
  else terminal.print(`files: not part of this backup; those in ${config.uploadsDir} were left as they are`);
  if (done.migrated.length > 0) terminal.print(`brought up to date by ${done.migrated.length} migrations`);
  if (done.requeued > 0) terminal.print(`unfinished jobs in the queue again: ${done.requeued}`);
  if (manifest.missing.count > 0)
    terminal.print(`files that were missing already when it was made: ${manifest.missing.count}`);
  if (done.key === 'restored') terminal.print(`key file: restored to ${keyFile}`);
  if (done.key === 'kept')
    terminal.print(
      `key file: ${keyFile} was there and was kept. Append the lines of the backup's secret.key to it, or stored secrets cannot be decrypted`,
    );
  if (done.key === 'needed')
    terminal.print(
      `key file: not part of this backup. Before you start the service, copy the secret.key of that studio (key ${manifest.key_ids[0]}) to ${keyFile}, or set SECRET_KEY as it was there. Without it users enter their keys and linked accounts again; nothing else is lost`,
    );
}

/** Restores a backup into an empty database and empty folders. */
export const restore: Command = {
  name: 'restore',
  operands: ['DIR'],
  summary: 'Restore a backup into an empty database and empty folders',
  options: {},
  notes: [
    'Stop the service first. The backup is verified before anything is written. Interrupted, it is undone; killed, it',
    'continues when it is run again. A backup of an older version is brought up to date.',
  ],
  async run(given, terminal) {
    const config = readSettings();
    const folder = resolve(given.operands[0] ?? '');
    const restored = await withProgress(terminal, async (work) => {
      // A damaged backup must not leave a new, empty database behind.
      const verified = await verifyBackup(folder, systemClock, work);
      const reached = await reachDatabase(config, true);
      try {
        return await restoreBackup(
          verified,
          {
            connection: reached.connection,
            config,
            workers: await loadWorkers(),
            log: createLog('error'),
            clock: systemClock,
          },
          work,
        );
      } finally {
        await reached.leave();
      }
    });
    report(terminal, config, restored);
    return 0;
  },
};
