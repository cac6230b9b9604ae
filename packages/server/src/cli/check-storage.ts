import { stat } from 'node:fs/promises';
import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/db/database.ts';
import { messageOf } from '../platform/errors.ts';
import { readQuarantine } from '../platform/files/quarantine.ts';
import { judgeStorage, readStorageFacts } from '../platform/files/storage-identity.ts';
import { readMarker, StorageMismatchError } from '../platform/files/storage-marker.ts';
import { createLog } from '../platform/log.ts';
import { connectionOf } from './check-secrets.ts';
import type { Finding } from './checks.ts';
import { sizeText } from './size-text.ts';

/** Checks whether the storage folders and the database belong together. */
export async function checkStorage(config: Config, isRunning: boolean): Promise<Finding> {
  try {
    const data = await readMarker(config.dataDir);
    const uploads = await readMarker(config.uploadsDir);
    if (data && uploads && data.id !== uploads.id)
      return bad(
        `${config.dataDir} and ${config.uploadsDir} belong to two databases (${data.id} and ${uploads.id})`,
      );
    if (config.databaseUrl === null && !isRunning)
      return uploads
        ? { state: 'good', says: `identity ${uploads.id}; compared with the database at the start` }
        : { state: 'note', says: `${config.uploadsDir} has no marker yet: it gets one at the first start` };
    return await askDatabase(config);
  } catch (error) {
    if (error instanceof StorageMismatchError) return bad(error.message);
    return { state: 'note', says: `not compared: the database cannot be read (${messageOf(error)})` };
  }
}

async function askDatabase(config: Config): Promise<Finding> {
  const connection = await connectionOf(config);
  const { db, close } = openDatabase({ connection, log: createLog('silent'), maxConnections: 1 });
  try {
    const facts = await readStorageFacts(db, config);
    const verdict = judgeStorage(facts);
    if (verdict.kind === 'mismatch') return bad(`${verdict.reason}: see "studio storage adopt --help"`);
    const counts = `${facts.records} records of stored files, ${facts.folders} folders of audio`;
    if (verdict.kind === 'same') return { state: 'good', says: `identity ${facts.identity}: ${counts}` };
    return { state: 'note', says: `no marker yet, it is written at the next start: ${counts}` };
  } finally {
    await close();
  }
}

/** Reports the number of stored folders without a database record, and how long they are kept. */
export async function checkQuarantine({ uploadsDir, quarantineDays }: Config): Promise<Finding> {
  const isThere = await stat(uploadsDir).catch(() => null);
  const folders = isThere ? await readQuarantine(uploadsDir).list() : [];
  if (folders.length === 0) return { state: 'good', says: 'empty' };
  const bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0);
  return {
    state: 'note',
    says: `${folders.length} folders that no record names (${sizeText(bytes)}), deleted after ${quarantineDays} days: "studio storage orphans" lists them`,
  };
}

function bad(says: string): Finding {
  return { state: 'bad', says };
}
