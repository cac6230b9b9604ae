import type { Logger } from 'pino';
import type { Db } from './database.ts';

/** Logs by adapter, which a database and its transactions share. */
const logs = new WeakMap<object, Logger>();

const keyOf = (db: Db): object => db.getExecutor().adapter;

/** Sets the log of a database and its transactions. */
export function attachLog(db: Db, log: Logger): void {
  logs.set(keyOf(db), log);
}

/** Returns the log of a database or transaction, or null if none is attached. */
export function logOf(db: Db): Logger | null {
  return logs.get(keyOf(db)) ?? null;
}
