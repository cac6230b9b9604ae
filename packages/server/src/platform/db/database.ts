import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Pool, type PoolClient } from 'pg';
import type { Logger } from 'pino';
import { pause } from '../clock.ts';
import { type Connection, clientConfig } from './connection.ts';
import { nameKnownStatements } from './prepared.ts';
import type { Tables } from './tables.ts';

/** The database, typed by {@link Tables}. A transaction is assignable to it. */
export type Db = Kysely<Tables>;
/** An open transaction. What takes one changes rows that must stand or fall with the caller's. */
export type Tx = Transaction<Tables>;

/** An open database. */
export interface Database {
  readonly db: Db;
  readonly pool: Pool;
  readonly connection: Connection;
  readonly close: () => Promise<void>;
}

/** What `openDatabase` may be told. */
export interface DatabaseOptions {
  readonly connection: Connection;
  readonly log: Logger;
  /** Connections at most; 12 unless given. */
  readonly maxConnections?: number;
  /** A statement that runs longer is ended; 30 s unless given. */
  readonly statementTimeoutMs?: number;
}

/** Connections that do not end by themselves are left to the server after this long. */
const longestFarewellMs = 2000;

/** Opens a pool of connections. Nothing is connected yet: the first query is. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    ...clientConfig(options.connection, options.statementTimeoutMs ?? 30_000),
    max: options.maxConnections ?? 12,
    idleTimeoutMillis: 30_000,
  });
  /** Connections that stand, until the server has taken leave of them. */
  const standing = new Set<PoolClient>();
  let isClosing = false;
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => {
    if (!isClosing) options.log.warn(`a database connection was lost: ${error.message}`);
  });
  pool.on('connect', (client) => {
    standing.add(client);
    // One in use that breaks between two statements says so too: its next statement fails, and that is enough.
    client.on('error', () => undefined);
    nameKnownStatements(client);
  });
  pool.on('remove', (client) => standing.delete(client));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const close = async () => {
    isClosing = true;
    // The query builder ends the pool only if a query of its own has used it.
    await db.destroy();
    if (!pool.ending) await pool.end();
    // The pool has only asked them to end: a server that is stopped right now would cut them off.
    for (let waitedMs = 0; standing.size > 0 && waitedMs < longestFarewellMs; waitedMs += 5) await pause(5);
  };
  return { db, pool, connection: options.connection, close };
}
