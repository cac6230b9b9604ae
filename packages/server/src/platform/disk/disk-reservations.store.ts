import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';

/** Disk space that one piece of running work is going to fill. */
export interface Reservation {
  readonly id: string;
  /** Null: an upload or an export. */
  readonly job_id: string | null;
  readonly lease_id: string | null;
  /** Whose storage an upload will count for. */
  readonly user_id: number | null;
  readonly bytes: number;
}

/** Lets one transaction of all processes at a time decide what still fits on the disk. */
export async function lockReservations(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('disk reservations', 0))`.execute(tx);
}

/**
 * Bytes that running work has reserved. What a dead process reserved does not count: it is not renewed, and its job gets
 * another lease.
 */
export async function reservedBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from disk_reservations
    where until > now() and (job_id is null or exists (
      select from jobs where jobs.id = job_id and jobs.lease_id = disk_reservations.lease_id))`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Writes a reservation, or more bytes of it, and forgets those that have run out. */
export async function saveReservation(tx: Tx, row: Reservation, seconds: number): Promise<void> {
  await sql`delete from disk_reservations where until < now() - interval '1 minute'`.execute(tx);
  await sql`
    insert into disk_reservations (id, job_id, lease_id, user_id, bytes, until)
    values (${row.id}, ${row.job_id}, ${row.lease_id}, ${row.user_id}, ${row.bytes},
      now() + make_interval(secs => ${seconds}))
    on conflict (id) do update set bytes = excluded.bytes, until = excluded.until`.execute(tx);
}

/** Lets a reservation count for so many seconds more. */
export async function renewReservation(db: Db, id: string, seconds: number): Promise<void> {
  await sql`
    update disk_reservations set until = now() + make_interval(secs => ${seconds}) where id = ${id}`.execute(
    db,
  );
}

/** Ends a reservation. */
export async function removeReservation(db: Db, id: string): Promise<void> {
  await db.deleteFrom('disk_reservations').where('id', '=', id).execute();
}
