import type { ColumnType } from 'kysely';

/** timestamptz: a Date in rows, a Date or ISO string when written. */
export type Moment = ColumnType<Date, Date | string, Date | string>;
/** Nullable timestamptz. */
export type MaybeMoment = ColumnType<Date | null, Date | string | null, Date | string | null>;
/** jsonb: parsed in rows, written with JSON.stringify (otherwise an array would become a PostgreSQL array). */
export type Json<T> = ColumnType<T, string, string>;
