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

/** Database, typed by {@link Tables}. A transaction is assignable to it. */
export type Db = Kysely<Tables>;
/** Open transaction. A function with this parameter makes changes that must be atomic with the caller's. */
export type Tx = Transaction<Tables>;

/** Open database. */
export interface Database {
  readonly db: Db;
  readonly pool: Pool;
  readonly connection: Connection;
  readonly close: () => Promise<void>;
}

/** Options of `openDatabase`. */
export interface DatabaseOptions {
  readonly connection: Connection;
  readonly log: Logger;
  /** Maximum number of connections. Default: 16. */
  readonly maxConnections?: number;
  /** Maximum duration of a statement, in ms. Default: 30 s. */
  readonly statementTimeoutMs?: number;
}

/** Maximum time to wait for connections to close, in ms. */
const disconnectGraceMs = 2000;

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** Pool whose connections are divided between callers. Its `query` and callback APIs wait for no share. */
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
    // The pool sets `release` anew at each checkout.
    const release = client.release.bind(client);
    client.release = (problem) => {
      release(problem);
      this.#shares.leave(caller);
    };
    return client;
  }
}

/** Opens a connection pool. Connects at the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const max = options.maxConnections ?? 16;
  const pool = new SharedPool({
    ...clientConfig(options.connection, options.statementTimeoutMs ?? 30_000),
    max,
    idleTimeoutMillis: 30_000,
  });
  /** Connections that the server has not closed yet. */
  const standing = new Set<PoolClient>();
  let isClosing = false;
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on('error', (error) => {
    if (!isClosing) options.log.warn(`a database connection was lost: ${error.message}`);
  });
  pool.on('connect', (client) => {
    standing.add(client);
    // A connection in use that breaks between two statements also emits an error. Its next statement fails, which
    // suffices.
    client.on('error', () => undefined);
    nameKnownStatements(client);
  });
  pool.on('remove', (client) => standing.delete(client));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  attachLog(db, options.log);
  const close = async () => {
    isClosing = true;
    // The query builder ends the pool only if one of its own queries has used it.
    await db.destroy();
    if (!pool.ending) await pool.end();
    // The pool has only requested the end of its connections: a server that stops now would cut them off.
    for (let waitedMs = 0; standing.size > 0 && waitedMs < disconnectGraceMs; waitedMs += 5) await pause(5);
  };
  return { db, pool, connection: options.connection, close };
}
