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

/** Facts that decide whether the uploads folder and the database belong together. */
export interface StorageFacts {
  readonly uploadsDir: string;
  /** Identity of the database; null before its first start. */
  readonly identity: string | null;
  readonly marker: StorageMarker | null;
  /** Number of database records that reference stored files. */
  readonly records: number;
  /** Number of stored folders of audio and stems. */
  readonly folders: number;
  /** Number of the `sampled` referenced files that exist. */
  readonly found: number;
  readonly sampled: number;
}

/** Verdict on a folder and a database: same identity, both new, recognised by their files, or mismatched. */
export type StorageVerdict =
  | { readonly kind: 'same' | 'new' | 'recognised' }
  | { readonly kind: 'mismatch'; readonly reason: string };

/** Settings for the location of stored files. */
export type StorageSettings = Pick<Config, 'uploadsDir' | 'dataDir'>;

/** Reads the facts that decide whether the uploads folder and the database belong together. Changes nothing. */
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

/** Decides from the facts whether the service may use the folder with the database. */
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

/** Options of the storage functions. */
export interface StorageClaim {
  /** Database with an up-to-date schema. */
  readonly connection: Connection;
  readonly settings: StorageSettings;
  /** Folder of the service's own PostgreSQL; null for a database of DATABASE_URL. */
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
 * Verifies that the database and the storage folders belong together, before anything is written or swept. They share
 * one identity, stored in the table `storage_identity` and in a marker file in each folder. A new database with empty
 * folders gets a new identity. Folders of earlier versions, or without their marker, are recognised by the files that
 * the database references.
 *
 * @throws StorageMismatchError if they do not belong together
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

/** Declares that the database and the storage folders belong together (`storage adopt`). Returns the identity. */
export async function adoptStorage(claim: StorageClaim): Promise<string> {
  return inTransaction(claim, async (tx) => {
    const known = await store.lockIdentity(tx);
    // The marker's identity is not reused: the database that the folder belonged to would still accept the folder.
    const id = known ?? newId();
    if (known === null) await store.setIdentity(tx, id, systemClock.now());
    await markFolders(claim, id, true);
    return id;
  });
}

/**
 * Rejects a data directory whose marker names another database. The data directory holds keys and models; one without a
 * marker beside the right uploads folder belongs to an additional machine.
 */
async function requireDataFolder({ dataDir }: StorageSettings, id: string): Promise<void> {
  const marker = await readMarker(dataDir);
  if (marker && marker.id !== id)
    throw new StorageMismatchError(
      `${dataDir} belongs to another database: its marker has the identity ${marker.id}, this database ${id}.\n${advice}`,
    );
}

/**
 * Removes the access of others to the uploads folder, which earlier versions granted. Done once, so that an operator
 * can change it back.
 */
async function closeToOthers({ uploadsDir, dataDir }: StorageSettings): Promise<void> {
  const { mode } = await stat(uploadsDir);
  // A database in a data directory inside runs under another account, which must be able to traverse the folder.
  const kept = `${dataDir}${sep}`.startsWith(`${uploadsDir}${sep}`) ? 0o7771 : 0o7770;
  // A folder of another account keeps its mode.
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
 * Refuses to create a database in a data directory whose database existed before. With an empty database the stored
 * files would appear unreferenced.
 *
 * @throws StorageMismatchError if the directory's marker names a database
 */
export async function refuseNewDatabase(dataDir: string): Promise<void> {
  const marker = await readMarker(dataDir);
  if (marker === null || marker.database_folder === null) return;
  throw new StorageMismatchError(
    `${dataDir} belongs to the database ${marker.id}, which was in ${marker.database_folder} and is not there now.\n${advice}`,
  );
}
