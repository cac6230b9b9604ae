import { createHash } from 'node:crypto';
import type { QueryResult, RawBuilder } from 'kysely';
import type { ClientBase } from 'pg';
import type { Db } from './database.ts';

/** Names of prepared statements, by statement text. */
const names = new Map<string, string>();

/** Patches a new connection so that it sends the statements of {@link runPrepared} under their names. */
export function nameKnownStatements(client: ClientBase): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((first: unknown, values: unknown, ...rest: unknown[]) => {
    const name = typeof first === 'string' ? names.get(first) : undefined;
    return name === undefined
      ? query(first, values, ...rest)
      : query({ name, text: first, values }, undefined, ...rest);
  }) as typeof client.query;
}

/**
 * Runs a prepared statement, which each connection parses and plans only once. Intended for queries of every request.
 * The number of distinct texts must be small: no lists of varying length, no external names.
 *
 * @see https://www.postgresql.org/docs/current/sql-prepare.html
 */
export function runPrepared<T>(db: Db, statement: RawBuilder<T>): Promise<QueryResult<T>> {
  const query = statement.compile(db);
  if (!names.has(query.sql))
    names.set(query.sql, `s${createHash('sha256').update(query.sql).digest('hex').slice(0, 32)}`);
  return db.executeQuery(query);
}
