import { resolve } from 'node:path';
import { upgradeCluster } from '../platform/backup/upgrade-cluster.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { DirectoryLockedError } from '../platform/process/directory-lock.ts';
import { withProgress } from './backup-command.ts';
import { type Command, CommandError } from './command.ts';
import { loadWorkers } from './load-workers.ts';
import { readSettings } from './read-settings.ts';

/** Upgrades the service's own database to the bundled PostgreSQL version. */
export const upgradeDatabase: Command = {
  name: 'upgrade-database',
  operands: [],
  summary: 'Upgrade a database of an older PostgreSQL to the one that this version includes',
  options: {
    binaries: {
      type: 'string',
      value: 'DIR',
      help: 'Folder of the older PostgreSQL, such as /usr/lib/postgresql/17; its package, where installed, unless given',
    },
  },
  notes: ['Stop the service first. The older database is backed up, and kept as it was beside the new one.'],
  async run(given, terminal) {
    const config = readSettings();
    const folder = given.text('binaries');
    const workers = await loadWorkers();
    const upgraded = await withProgress(terminal, (work) =>
      upgradeCluster({
        ...work,
        config,
        binariesFolder: folder === null ? null : resolve(folder),
        workers,
        log: createLog('error'),
        clock: systemClock,
      }),
    ).catch((error: unknown) => {
      throw error instanceof DirectoryLockedError ? new CommandError(error.message) : error;
    });
    terminal.print(`PostgreSQL ${upgraded.from} → ${upgraded.to}: ${upgraded.rows} rows`);
    terminal.print(`backup of the older database: ${upgraded.backup}`);
    terminal.print(`the older database, no longer needed: ${upgraded.kept}`);
    return 0;
  },
};
