import { Client } from 'pg';
import { pause } from '../clock.ts';
import { type Connection, clientConfig } from '../db/connection.ts';

declare module '../context.ts' {
  interface Context {
    readonly databaseProbe: DatabaseProbe;
  }
}

/** Result of a database probe. */
export interface DatabaseState {
  readonly isAnswering: boolean;
  /** Name of the newest applied migration; null if unknown. */
  readonly newestMigration: string | null;
}

/** Probe that checks whether the database replies, on a dedicated connection: the pool may be busy, or hang. */
export interface DatabaseProbe {
  probe(): Promise<DatabaseState>;
  close(): Promise<void>;
}

/** Maximum time for the database to connect and reply, in ms. */
const limitMs = 700;

const silent: DatabaseState = { isAnswering: false, newestMigration: null };

/** Creates a database probe. Concurrent callers share one query; none waits longer than 700 ms. */
export function createDatabaseProbe(connection: Connection): DatabaseProbe {
  let client: Client | null = null;
  let asking: Promise<DatabaseState> | null = null;

  const drop = () => {
    const dropped = client;
    client = null;
    // Closes the socket at once if a query is in progress.
    dropped?.end().catch(() => undefined);
  };
  const connected = async () => {
    if (client) return client;
    const fresh = new Client({ ...clientConfig(connection, limitMs), connectionTimeoutMillis: limitMs });
    fresh.on('error', () => {
      if (client === fresh) client = null;
    });
    await fresh.connect();
    client = fresh;
    return fresh;
  };
  const ask = async (): Promise<DatabaseState> => {
    const { rows } = await (await connected()).query<{ name: string }>(
      'select name from schema_migrations order by name desc limit 1',
    );
    return { isAnswering: true, newestMigration: rows[0]?.name ?? null };
  };
  const probe = async (): Promise<DatabaseState> => {
    const asked = ask().catch((error: unknown) => {
      drop();
      // The database replies, but has no schema yet.
      return (error as { code?: unknown }).code === '42P01' ? { ...silent, isAnswering: true } : silent;
    });
    const answered = new AbortController();
    const late = pause(limitMs, answered.signal).then(() => {
      if (!answered.signal.aborted) drop();
      return silent;
    });
    try {
      return await Promise.race([asked, late]);
    } finally {
      answered.abort();
    }
  };
  return {
    probe: () => {
      asking ??= probe().finally(() => {
        asking = null;
      });
      return asking;
    },
    close: async () => {
      await asking;
      await client?.end().catch(() => undefined);
    },
  };
}
