import { createHash } from 'node:crypto';
import type { QueryResult, RawBuilder } from 'kysely';
import type { ClientBase } from 'pg';
import type { Db } from './database.ts';

/** Names of the statements that are prepared, by their text. */
const names = new Map<string, string>();

/** Lets a new connection send the statements of {@link runPrepared} under their names. */
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
 * Runs a statement that each connection parses and plans only once: for what every request asks. Its text must be one of
 * a few, whatever is asked: no lists of varying length, no names that come from outside.
 *
 * @see https://www.postgresql.org/docs/current/sql-prepare.html
 */
export function runPrepared<T>(db: Db, statement: RawBuilder<T>): Promise<QueryResult<T>> {
  const query = statement.compile(db);
  if (!names.has(query.sql))
    names.set(query.sql, `s${createHash('sha256').update(query.sql).digest('hex').slice(0, 32)}`);
  return db.executeQuery(query);
}
