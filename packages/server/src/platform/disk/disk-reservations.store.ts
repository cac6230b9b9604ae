import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';

/** Disk space reserved for one piece of running work. */
export interface Reservation {
  readonly id: string;
  /** Job of the reservation; null for an upload or an export. */
  readonly job_id: string | null;
  readonly lease_id: string | null;
  /** User whose storage an upload will count towards. */
  readonly user_id: number | null;
  readonly bytes: number;
}

/** Serialises decisions about free disk space over all processes until the transaction ends. */
export async function lockReservations(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('disk reservations', 0))`.execute(tx);
}

/**
 * Returns the bytes reserved by running work. Reservations of dead processes are not counted: they are not renewed, and
 * their jobs get other leases.
 */
export async function reservedBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from disk_reservations
    where until > now() and (job_id is null or exists (
      select from jobs where jobs.id = job_id and jobs.lease_id = disk_reservations.lease_id))`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Stores a reservation or its new size, and deletes expired ones. */
export async function saveReservation(tx: Tx, row: Reservation, seconds: number): Promise<void> {
  await sql`delete from disk_reservations where until < now() - interval '1 minute'`.execute(tx);
  await sql`
    insert into disk_reservations (id, job_id, lease_id, user_id, bytes, until)
    values (${row.id}, ${row.job_id}, ${row.lease_id}, ${row.user_id}, ${row.bytes},
      now() + make_interval(secs => ${seconds}))
    on conflict (id) do update set bytes = excluded.bytes, until = excluded.until`.execute(tx);
}

/** Extends a reservation by a number of seconds from now. */
export async function renewReservation(db: Db, id: string, seconds: number): Promise<void> {
  await sql`
    update disk_reservations set until = now() + make_interval(secs => ${seconds}) where id = ${id}`.execute(
    db,
  );
}

/** Deletes a reservation. */
export async function removeReservation(db: Db, id: string): Promise<void> {
  await db.deleteFrom('disk_reservations').where('id', '=', id).execute();
}
