import type { Client } from 'pg';
import { pause } from '../platform/clock.ts';

/** Advisory lock of PostgreSQL: shared while a database is created, exclusive while the server is about to stop. */
const creationLock = 78;

/** Time between two looks at the clients and the databases, in ms. */
const lookMs = 1000;

/**
 * Creates a database with `work`, which a server that is about to stop either waits for or ends with an error of the
 * connection.
 */
export async function whileCreating<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('select pg_advisory_lock_shared($1)', [creationLock]);
  const result = await work();
  await client.query('select pg_advisory_unlock_shared($1)', [creationLock]);
  return result;
}

/**
 * Returns once a server has had neither a client nor a new database for a time. A test that has created its database
 * may take seconds before something connects to it. From then until the end of its connection, `client` keeps others
 * from creating databases.
 *
 * @param quietMs the time, in ms
 */
export async function untilUnused(client: Client, quietMs: number): Promise<void> {
  let newest: string | null = null;
  let lastUseMs = performance.now();
  const look = async (): Promise<void> => {
    const { rows } = await client.query<{ clients: number; newest: string }>(
      `select (select max(oid)::text from pg_database) as newest,
              (select count(*)::int from pg_stat_activity
               where backend_type = 'client backend' and pid <> pg_backend_pid()) as clients`,
    );
    const [found] = rows;
    if (!found || (found.clients === 0 && found.newest === newest)) return;
    newest = found.newest;
    lastUseMs = performance.now();
  };
  const isQuiet = () => performance.now() - lastUseMs >= quietMs;
  for (;;) {
    await pause(lookMs);
    await look();
    if (!isQuiet()) continue;
    await client.query('select pg_advisory_lock($1)', [creationLock]);
    await look();
    if (isQuiet()) return;
    await client.query('select pg_advisory_unlock($1)', [creationLock]);
  }
}
