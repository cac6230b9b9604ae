import type { Logger } from 'pino';
import type { Db } from './database.ts';

/** A database and its transactions share one adapter. */
const logs = new WeakMap<object, Logger>();

const keyOf = (db: Db): object => db.getExecutor().adapter;

/** Makes `log` the log of a database and of its transactions. */
export function attachLog(db: Db, log: Logger): void {
  logs.set(keyOf(db), log);
}

/** Returns the log of a database or transaction; null where none is attached. */
export function logOf(db: Db): Logger | null {
  return logs.get(keyOf(db)) ?? null;
}
