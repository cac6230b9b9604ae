import { type ClientConfig, type CustomTypesConfig, types as pgTypes } from 'pg';

/** How to reach a PostgreSQL: what `pg` takes, url or fields. */
export type Connection = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;

/** Reads int8 as numbers: our ids and byte counts stay far below 2^53. */
const types: CustomTypesConfig = {
  getTypeParser: ((oid: Parameters<typeof pgTypes.getTypeParser>[0], format?: 'text' | 'binary') =>
    oid === pgTypes.builtins.INT8 && format !== 'binary'
      ? Number
      : pgTypes.getTypeParser(oid, format)) as typeof pgTypes.getTypeParser,
};

/** Everything that one of our connections has in common: UTC, a name to be seen by, limits on time. */
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

/** The same server, another database. */
export function withDatabase(connection: Connection, database: string): Connection {
  if (connection.connectionString === undefined) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { ...connection, connectionString: url.href };
}

/** SQLSTATEs of a server that is stopping, starting, or has cut us off, and of one with too many visitors. */
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

/** Whether PostgreSQL ended a transaction because of another one (deadlock, serialisation): the same may work next time. */
export function isTransactionConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '40P01' || code === '40001';
}

/**
 * Whether an error of a query means that the database could not be reached or went away, so that the same query may
 * work in a moment: not an error of the query itself.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === 'string') {
    if (passingStates.has(code)) return true;
    // A missing file is another matter than a missing socket.
    if (passingSystemErrors.has(code)) return code !== 'ENOENT' || syscall === 'connect';
  }
  return /^Connection terminated|^timeout exceeded when trying to connect|^timeout expired|^Client has encountered a connection error|not queryable$/.test(
    error.message,
  );
}
