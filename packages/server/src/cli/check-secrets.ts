import type { Config } from '../platform/config.ts';
import { readMasterKeys } from '../platform/crypto/master-keys.ts';
import { countSecretsByKey } from '../platform/crypto/sealed-columns.ts';
import { createSecrets } from '../platform/crypto/secrets.ts';
import type { Connection } from '../platform/db/connection.ts';
import { openDatabase } from '../platform/db/database.ts';
import { messageOf } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { findCluster } from '../platform/postgres/cluster.ts';
import type { Finding } from './checks.ts';

/** Returns the connection to the database of the running service, or to `DATABASE_URL`. */
export async function connectionOf(config: Config): Promise<Connection> {
  if (config.databaseUrl !== null) return { connectionString: config.databaseUrl };
  return (await findCluster(config.dataDir)).connection;
}

async function countSecrets(config: Config): Promise<Map<string, number>> {
  const connection = await connectionOf(config);
  const { db, close } = openDatabase({ connection, log: createLog('silent'), maxConnections: 1 });
  try {
    return await countSecretsByKey(db);
  } finally {
    await close();
  }
}

/** Reports the number of secrets for each key id, and whether all of those keys are available. */
export async function checkSecrets(config: Config, isRunning: boolean): Promise<Finding> {
  if (config.databaseUrl === null && !isRunning)
    return { state: 'note', says: 'counted while the service runs' };
  let counts: Map<string, number>;
  try {
    counts = await countSecrets(config);
  } catch {
    return { state: 'note', says: 'not counted: the database cannot be read' };
  }
  let keyIds: readonly string[];
  try {
    keyIds = createSecrets(() => readMasterKeys(config)).keyIds();
  } catch (error) {
    return { state: counts.size > 0 ? 'bad' : 'note', says: messageOf(error) };
  }
  if (counts.size === 0) return { state: 'good', says: 'none are stored' };
  const present = keyIds[0] ?? '';
  const parts = [...counts].map(([id, count]) => {
    const which = id === present ? 'the present one' : keyIds.includes(id) ? 'an old one' : 'not here';
    return `${count} under the key ${id} (${which})`;
  });
  const isLost = [...counts.keys()].some((id) => !keyIds.includes(id));
  const isOld = [...counts.keys()].some((id) => id !== present);
  const advice = isLost
    ? ': set SECRET_KEY_PREVIOUS to the missing key, or restore its line in secret.key'
    : isOld
      ? ': "studio secrets rotate" moves them'
      : '';
  return { state: isLost ? 'bad' : isOld ? 'note' : 'good', says: parts.join(', ') + advice };
}
