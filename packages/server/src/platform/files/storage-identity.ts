import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Logger } from 'pino';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Connection } from '../db/connection.ts';
import { type Db, openDatabase, type Tx } from '../db/database.ts';
import { newId } from '../ids.ts';
import { folderMode } from './data-folder.ts';
import { ignoreMissing } from './folder-walk.ts';
import * as store from './storage-identity.store.ts';
import {
  markerName,
  readMarker,
  type StorageMarker,
  StorageMismatchError,
  writeMarker,
} from './storage-marker.ts';

/** Folders directly inside the uploads folder in which the service stores files. */
const contentFolders = ['downloads', 'stems'];
const sampledPaths = 50;

/** What decides whether the uploads folder and the database belong together. */
export interface StorageFacts {
  readonly uploadsDir: string;
  /** Identity of the database; null before its first start. */
  readonly identity: string | null;
  readonly marker: StorageMarker | null;
  /** How many records of the database name stored files. */
  readonly records: number;
  /** How many folders of audio and stems are stored. */
  readonly folders: number;
  /** How many of the `sampled` files that records name are stored. */
  readonly found: number;
  readonly sampled: number;
}

/** What follows: they belong together, begin together, are known by their files, or must not be used together. */
export type StorageVerdict =
  | { readonly kind: 'same' | 'new' | 'recognised' }
  | { readonly kind: 'mismatch'; readonly reason: string };

/** The settings that say where files are stored. */
export type StorageSettings = Pick<Config, 'uploadsDir' | 'dataDir'>;

/** Reads what decides whether the uploads folder and the database belong together; changes nothing. */
export async function readStorageFacts(db: Db, { uploadsDir }: StorageSettings): Promise<StorageFacts> {
  const paths = await store.listRecordedPaths(db, sampledPaths);
  const present = await Promise.all(
    paths.map((path) =>
      stat(join(uploadsDir, path)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return {
    uploadsDir,
    identity: await store.findIdentity(db),
    marker: await readMarker(uploadsDir),
    records: await store.countStoredRecords(db),
    folders: await countStoredFolders(uploadsDir),
    found: present.filter(Boolean).length,
    sampled: paths.length,
  };
}

async function countStoredFolders(uploadsDir: string): Promise<number> {
  const names = await Promise.all(
    contentFolders.map(async (name) => (await readdir(join(uploadsDir, name)).catch(ignoreMissing)) ?? []),
  );
  return names.flat().length;
}

/** Decides from the facts whether a service may use the folder with the database. */
export function judgeStorage(facts: StorageFacts): StorageVerdict {
  const { identity, marker, records, folders, found, sampled, uploadsDir } = facts;
  const counts = `the database has ${records} records of stored files, the folder ${folders} folders of audio`;
  const mismatch = (what: string): StorageVerdict => ({ kind: 'mismatch', reason: `${what} (${counts})` });
  if (marker) {
    if (marker.id === identity) return { kind: 'same' };
    return mismatch(
      identity === null
        ? `${uploadsDir} belongs to another database: its marker has the identity ${marker.id}, this database has none`
        : `${uploadsDir} belongs to another database: its marker has the identity ${marker.id}, this database ${identity}`,
    );
  }
  if (folders === 0 && records === 0) return { kind: 'new' };
  if (folders === 0) return mismatch(`${uploadsDir} is empty and has no marker: its disk may not be mounted`);
  if (records === 0) return mismatch(`${uploadsDir} holds audio, but the database is empty`);
  if (found * 2 >= sampled) return { kind: 'recognised' };
  return mismatch(
    `${uploadsDir} holds the audio of another database: of ${sampled} files that the newest records name, ${found} are there`,
  );
}

const advice = `Nothing was changed or deleted. Do one of these:
  - mount the disk, or set UPLOADS_DIR (or DATA_DIR) to the folder that belongs to this database
  - restore the database that belongs to this folder, or set DATABASE_URL to it
  - "studio storage adopt" if this database and this folder shall be used together from now on`;

/** What the storage functions are told. */
export interface StorageClaim {
  /** A database whose schema is up to date. */
  readonly connection: Connection;
  readonly settings: StorageSettings;
  /** Where the service's own PostgreSQL keeps its files; null for one of DATABASE_URL. */
  readonly databaseFolder: string | null;
  readonly log: Logger;
}

async function inTransaction<T>({ connection, log }: StorageClaim, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { db, close } = openDatabase({ connection, log, maxConnections: 1 });
  try {
    return await db.transaction().execute(work);
  } finally {
    await close();
  }
}

/**
 * Makes sure, before anything is written or swept, that the database and the storage folders belong together: they have
 * one identity, in the table `storage_identity` and in a marker file in each folder. A new database with empty folders
 * gets a new one; folders of earlier versions, or whose marker was lost, are recognised by the files that the database
 * names.
 *
 * @throws StorageMismatchError when they do not belong together
 */
export async function claimStorage(claim: StorageClaim): Promise<void> {
  const { settings, log } = claim;
  const { uploadsDir } = settings;
  await inTransaction(claim, async (tx) => {
    const locked = await store.lockIdentity(tx);
    const facts = await readStorageFacts(tx, settings);
    const verdict = judgeStorage(facts);
    if (verdict.kind === 'mismatch') throw new StorageMismatchError(`${verdict.reason}.\n${advice}`);
    const id = locked ?? newId();
    await requireDataFolder(settings, id);
    if (locked === null) await store.setIdentity(tx, id, systemClock.now());
    if (verdict.kind === 'recognised') {
      const { found, sampled, folders } = facts;
      log.warn(
        { uploadsDir, id, folders, found, sampled },
        `the folder of stored files has no marker and is recognised by its files (${found} of ${sampled} looked for are there); it gets the marker ${markerName}`,
      );
    }
    await markFolders(claim, id, false);
    if (verdict.kind !== 'same') await closeToOthers(settings);
  });
}

/** What `storage adopt` does: declares that the database and the storage folders belong together. Answers the identity. */
export async function adoptStorage(claim: StorageClaim): Promise<string> {
  return inTransaction(claim, async (tx) => {
    const known = await store.lockIdentity(tx);
    // Not the marker's: the database that the folder belonged to would still take it for its own.
    const id = known ?? newId();
    if (known === null) await store.setIdentity(tx, id, systemClock.now());
    await markFolders(claim, id, true);
    return id;
  });
}

/** The data directory holds keys and models; an empty one beside the right uploads folder is a further machine's. */
async function requireDataFolder({ dataDir }: StorageSettings, id: string): Promise<void> {
  const marker = await readMarker(dataDir);
  if (marker && marker.id !== id)
    throw new StorageMismatchError(
      `${dataDir} belongs to another database: its marker has the identity ${marker.id}, this database ${id}.\n${advice}`,
    );
}

/** Earlier versions left the folder open to everybody. Done once, so that an operator can decide otherwise. */
async function closeToOthers({ uploadsDir, dataDir }: StorageSettings): Promise<void> {
  const { mode } = await stat(uploadsDir);
  // The database in a data directory inside runs under another account, which must be able to pass through.
  const kept = `${dataDir}${sep}`.startsWith(`${uploadsDir}${sep}`) ? 0o7771 : 0o7770;
  // Where the folder belongs to another account, that one decides.
  await chmod(uploadsDir, mode & kept).catch(() => undefined);
}

async function markFolders(
  { settings: { dataDir, uploadsDir }, databaseFolder }: StorageClaim,
  id: string,
  replace: boolean,
): Promise<void> {
  const created_at = systemClock.now().toISOString();
  for (const folder of new Set([dataDir, uploadsDir])) {
    const database_folder = folder === dataDir ? databaseFolder : null;
    const known = await readMarker(folder).catch((error: unknown) => {
      if (replace) return null;
      throw error;
    });
    if (known?.id === id && known.database_folder === database_folder) continue;
    await mkdir(folder, { recursive: true, mode: folderMode });
    const content = { version: 1, id, created_at: known?.created_at ?? created_at, database_folder } as const;
    await writeMarker(folder, content, replace || known !== null);
  }
}

/**
 * Refuses to create a database in a data directory whose database was there before: an empty one would make the stored
 * files look like nobody's.
 *
 * @throws StorageMismatchError when the directory's marker names a database
 */
export async function refuseNewDatabase(dataDir: string): Promise<void> {
  const marker = await readMarker(dataDir);
  if (marker === null || marker.database_folder === null) return;
  throw new StorageMismatchError(
    `${dataDir} belongs to the database ${marker.id}, which was in ${marker.database_folder} and is not there now.\n${advice}`,
  );
}
