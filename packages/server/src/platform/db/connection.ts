import { type ClientConfig, type CustomTypesConfig, types as pgTypes } from 'pg';

/** Connection parameters of a PostgreSQL, as a URL or fields of `pg`. */
export type Connection = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;

/** Parses int8 as numbers: the ids and byte counts of the service stay far below 2^53. */
const types: CustomTypesConfig = {
  getTypeParser: ((oid: Parameters<typeof pgTypes.getTypeParser>[0], format?: 'text' | 'binary') =>
    oid === pgTypes.builtins.INT8 && format !== 'binary'
      ? Number
      : pgTypes.getTypeParser(oid, format)) as typeof pgTypes.getTypeParser,
};

/** Returns the common settings of all connections: UTC, application name, timeouts. */
export function clientConfig(connection: Connection, statementTimeoutMs: number): ClientConfig {
  return {
    ...connection,
    types,
    application_name: 'stem-studio',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    options: `-c timezone=UTC -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=60000`,
  };
}

/** Returns the connection of another database on the same server. */
export function withDatabase(connection: Connection, database: string): Connection {
  if (connection.connectionString === undefined) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { ...connection, connectionString: url.href };
}

/**
 * SQLSTATEs of a server that is stopping, starting or has closed the connection, and of one with too many connections.
 */
const passingStates = new Set([
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '53300',
  '25P03',
]);
const passingSystemErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * Returns whether PostgreSQL aborted a transaction because of another one (deadlock, serialisation). A retry may
 * succeed.
 */
export function isTransactionConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '40P01' || code === '40001';
}

/**
 * Returns whether a query failed because the database is unreachable, so that a retry may succeed. Errors of the query
 * itself do not count.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === 'string') {
    if (passingStates.has(code)) return true;
    // ENOENT counts only for a missing socket, not for a missing file.
    if (passingSystemErrors.has(code)) return code !== 'ENOENT' || syscall === 'connect';
  }
  return /^Connection terminated|^timeout exceeded when trying to connect|^timeout expired|^Client has encountered a connection error|not queryable$/.test(
    error.message,
  );
}
