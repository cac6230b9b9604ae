import type { ColumnType } from 'kysely';

/** A moment: a Date in rows; Date or ISO string when written. */
export type Moment = ColumnType<Date, Date | string, Date | string>;
/** A moment or null. */
export type MaybeMoment = ColumnType<Date | null, Date | string | null, Date | string | null>;
/** jsonb: parsed in rows, written with JSON.stringify (an array would be taken for a PostgreSQL array otherwise). */
export type Json<T> = ColumnType<T, string, string>;
