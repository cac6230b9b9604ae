import { type Kysely, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** The database, typed by {@link Tables}. A transaction is assignable to it. */
export type Db = Kysely<Tables>;
/** An open transaction. What takes one changes rows that must stand or fall with the caller's. */
export type Tx = Transaction<Tables>;
