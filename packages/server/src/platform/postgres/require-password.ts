import { Client } from 'pg';
import type { Logger } from 'pino';
import { clientConfig, withDatabase } from '../db/connection.ts';
import { type Cluster, connectionTo } from './cluster.ts';
import {
  asksForPassword,
  newPassword,
  readAccess,
  writeAccess,
  writeLoginRules,
} from './cluster-password.ts';

/**
 * Makes the running embedded PostgreSQL require a password and returns the cluster with it. Clusters of earlier
 * versions accepted every connection to the socket. If interrupted, this is completed at the next start.
 */
export async function requirePassword(cluster: Cluster, pid: number, log: Logger): Promise<Cluster> {
  const { account, folder, transport } = cluster;
  if (!(await asksForPassword(folder))) {
    const known = await readAccess(folder);
    const access = known ?? { password: newPassword() };
    // The login data is written first: until the rules require a password, one that the server does not know yet does
    // no harm.
    if (!known) await writeAccess(folder, access, account);
    await setPassword(cluster, access.password);
    await writeLoginRules(folder, account);
    log.info({ folder }, 'the database asks for a password from now on');
  }
  // A server that was taken over may have been started with the earlier rules.
  if (process.platform !== 'win32' && pid > 0) process.kill(pid, 'SIGHUP');
  return { ...cluster, connection: await connectionTo(folder, transport) };
}

async function setPassword(cluster: Cluster, password: string): Promise<void> {
  const client = new Client(clientConfig(withDatabase(cluster.connection, 'postgres'), 0));
  await client.connect();
  try {
    const role = client.escapeIdentifier(cluster.connection.user ?? '');
    await client.query(`alter role ${role} with password ${client.escapeLiteral(password)}`);
  } finally {
    await client.end();
  }
}
