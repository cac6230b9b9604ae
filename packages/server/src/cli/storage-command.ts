import { stat } from 'node:fs/promises';
import { readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import { openDatabase } from '../platform/db/database.ts';
import { createLocalFiles } from '../platform/files/local-files.ts';
import type { Quarantine, QuarantinedFolder } from '../platform/files/quarantine.ts';
import {
  adoptStorage,
  judgeStorage,
  readStorageFacts,
  type StorageClaim,
} from '../platform/files/storage-identity.ts';
import { readMarker } from '../platform/files/storage-marker.ts';
import { createLog } from '../platform/log.ts';
import { type Command, CommandError, type Given, type Terminal, UsageError } from './command.ts';
import { sizeText } from './size-text.ts';
import { withStorage } from './with-context.ts';

const yes = { type: 'boolean', help: 'Do it; without this, only what would be done is printed' } as const;
const all = { type: 'boolean', help: 'Everything in the quarantine' } as const;

function read(): Config {
  try {
    return readConfig();
  } catch (error) {
    throw error instanceof ConfigError ? new CommandError(error.message) : error;
  }
}

/** Opens the quarantine of the uploads folder; does not create a missing folder. */
async function openQuarantine({ uploadsDir }: Config): Promise<Quarantine> {
  const facts = await stat(uploadsDir).catch(() => null);
  if (!facts?.isDirectory())
    throw new CommandError(`there is no folder ${uploadsDir}: set UPLOADS_DIR or DATA_DIR`);
  return (await createLocalFiles(uploadsDir)).quarantine;
}

function lineOf({ entry, path, movedAt, reason, files, bytes }: QuarantinedFolder, days: number): string {
  const until = new Date(movedAt.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const what = `${files} ${files === 1 ? 'file' : 'files'}, ${sizeText(bytes)}`;
  return `${path ?? entry}  ${what}, moved ${movedAt.toISOString().slice(0, 10)}, kept until ${until}: ${reason}`;
}

/** Returns the folders that the command line selects by path or entry. */
async function chosen(quarantine: Quarantine, given: Given): Promise<QuarantinedFolder[]> {
  const isAll = given.has('all');
  if (isAll === given.operands.length > 0)
    throw new UsageError(
      `name paths as "studio storage orphans" lists them, or --all (got ${isAll ? 'both' : 'neither'})`,
    );
  const folders = await quarantine.list();
  if (isAll) return folders;
  return given.operands.map((word) => {
    const found = folders.find(({ path, entry }) => path === word || entry === word);
    if (!found)
      throw new CommandError(`the quarantine has no ${word}: "studio storage orphans" lists what it has`);
    return found;
  });
}

/** Lists the contents of the quarantine. */
export const storageOrphans: Command = {
  name: 'storage orphans',
  operands: [],
  summary: 'List stored folders that no record of the database names',
  options: {},
  notes: ['They were moved to the quarantine, and are deleted after QUARANTINE_DAYS days.'],
  async run(_given, terminal) {
    const config = read();
    const folders = await (await openQuarantine(config)).list();
    for (const folder of folders) terminal.print(lineOf(folder, config.quarantineDays));
    if (folders.length === 0) terminal.log('the quarantine is empty');
    return 0;
  },
};

/** Moves folders back from the quarantine. */
export const storageRestore: Command = {
  name: 'storage restore',
  operands: ['[PATH…]'],
  summary: 'Move folders from the quarantine back to where they were',
  options: { all },
  notes: [
    'Restore the database first: folders that it does not name 15 minutes later go to the quarantine again.',
  ],
  async run(given, terminal) {
    const quarantine = await openQuarantine(read());
    let refused = 0;
    for (const { entry, path } of await chosen(quarantine, given)) {
      const outcome = await quarantine.restore(entry, systemClock.now());
      if (outcome === 'restored') {
        terminal.print(`restored ${path}`);
        continue;
      }
      refused += 1;
      terminal.log(
        outcome === 'path taken'
          ? `${path} was not restored: there is a folder of that name now. Move one of them`
          : `${path ?? entry} was not restored: where it was cannot be read from its manifest`,
      );
    }
    return refused === 0 ? 0 : 1;
  },
};

/** Deletes folders in the quarantine for good. */
export const storagePurge: Command = {
  name: 'storage purge',
  operands: ['[PATH…]'],
  summary: 'Delete folders in the quarantine for good',
  options: { all, yes },
  async run(given, terminal) {
    const config = read();
    const quarantine = await openQuarantine(config);
    const folders = await chosen(quarantine, given);
    if (folders.length === 0) {
      terminal.log('the quarantine is empty');
      return 0;
    }
    const isDone = given.has('yes');
    for (const folder of folders) {
      if (isDone) await quarantine.purge(folder.entry);
      terminal.print(`${isDone ? 'deleted' : 'would delete'} ${lineOf(folder, config.quarantineDays)}`);
    }
    const sum = sizeText(folders.reduce((bytes, folder) => bytes + folder.bytes, 0));
    terminal.log(isDone ? `freed ${sum}` : `nothing was deleted (${sum}): add --yes to do it`);
    return isDone ? 0 : 1;
  },
};

/** Records that the database and the storage folders belong together. */
export const storageAdopt: Command = {
  name: 'storage adopt',
  operands: [],
  summary: 'Use this database and these storage folders together from now on',
  options: { yes },
  notes: [
    'For a start that was refused because the database and the storage folders do not belong together, when neither a',
    'disk has to be mounted nor a database to be restored. Stop every service that uses the database or the folders.',
    'Folders of audio that the database does not name go to the quarantine 15 minutes after the next start, and are',
    'deleted after QUARANTINE_DAYS days.',
  ],
  async run(given, terminal) {
    const isDone = given.has('yes');
    return withStorage(isDone, async (claim, config) => {
      const isNeeded = await describe(claim, config, terminal);
      if (!isNeeded) return 0;
      if (!isDone) {
        terminal.log('nothing was changed: add --yes to use them together');
        return 1;
      }
      const id = await adoptStorage(claim);
      terminal.print(`${config.dataDir} and ${config.uploadsDir} belong to the database ${id} now`);
      return 0;
    });
  },
};

/** Prints the contents of the database and the folders. Returns whether they have to be adopted. */
async function describe({ connection }: StorageClaim, config: Config, terminal: Terminal): Promise<boolean> {
  const { db, close } = openDatabase({ connection, log: createLog('silent'), maxConnections: 1 });
  try {
    const data = await readMarker(config.dataDir).catch(() => null);
    const facts = await readStorageFacts(db, config).catch(() => null);
    if (facts === null) {
      terminal.print(`the marker of ${config.uploadsDir} cannot be read and would be written again`);
      return true;
    }
    const verdict = judgeStorage(facts);
    const isData = data === null || data.id === facts.identity;
    terminal.print(
      `database        identity ${facts.identity ?? 'none'}, ${facts.records} records of stored files`,
    );
    terminal.print(
      `uploads folder  identity ${facts.marker?.id ?? 'none'}, ${facts.folders} folders of audio in ${config.uploadsDir}`,
    );
    terminal.print(`data directory  identity ${data?.id ?? 'none'}, ${config.dataDir}`);
    if (verdict.kind === 'mismatch') terminal.print(verdict.reason);
    else if (isData) terminal.print('they belong together: nothing has to be done');
    return verdict.kind === 'mismatch' || !isData;
  } finally {
    await close();
  }
}
