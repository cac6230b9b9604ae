import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { pause } from '../clock.ts';
import { type Connection, clientConfig } from './connection.ts';
import { type Caller, ConnectionShares, connectionLimitsOf, currentCaller } from './connection-shares.ts';
import { attachLog } from './database-log.ts';
import { nameKnownStatements } from './prepared.ts';
import type { Tables } from './tables.ts';

declare module '../context.ts' {
  interface Context {
    readonly db: Db;
  }
}

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
  /** Connections at most; 16 unless given. */
  readonly maxConnections?: number;
  /** A statement that runs longer is ended; 30 s unless given. */
  readonly statementTimeoutMs?: number;
}

/** Connections that do not end by themselves are left to the server after this long. */
const longestFarewellMs = 2000;

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool whose connections are shared between callers; what uses its `query` or callbacks waits for no share. */
class SharedPool extends Pool {
  readonly #shares: ConnectionShares;

  constructor(config: PoolConfig & { readonly max: number }) {
    super(config);
    this.#shares = new ConnectionShares(connectionLimitsOf(config.max));
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    return callback ? super.connect(callback) : this.#connectFor(currentCaller());
  }

  async #connectFor(caller: Caller | undefined): Promise<PoolClient> {
    if (!caller || (caller.use === 'request' && caller.key === null)) return super.connect();
    await this.#shares.enter(caller);
    let client: PoolClient;
    try {
      client = await super.connect();
    } catch (error) {
      this.#shares.leave(caller);
      throw error;
    }
    // The pool sets it anew each time it lends the connection.
    const release = client.release.bind(client);
    client.release = (problem) => {
      release(problem);
      this.#shares.leave(caller);
    };
    return client;
  }
}

/** Opens a pool of connections. Nothing is connected yet: the first query is. */
export function openDatabase(options: DatabaseOptions): Database {
  const max = options.maxConnections ?? 16;
  const pool = new SharedPool({
    ...clientConfig(options.connection, options.statementTimeoutMs ?? 30_000),
    max,
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
  attachLog(db, options.log);
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
