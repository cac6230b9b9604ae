import { byteText } from '@stem-studio/contract/byte-text';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { messageOf, unavailable } from '../errors.ts';
import { newId } from '../ids.ts';
import { fail, snooze, type Verdict } from '../queue/verdict.ts';
import type { JobRun } from '../queue/worker.ts';
import * as store from './disk-reservations.store.ts';

/** Time without renewal after which a reservation expires, in seconds. */
const holdSeconds = 30;
const renewMs = 10_000;
/** Time after which a job that waits for disk space tries again, in seconds. */
const lookAgainSeconds = 15;
/** `Retry-After` for requests without disk space, in seconds. Space is freed by a person, or when running work ends. */
const retryAfterSeconds = 60;

/** Reserved disk space, renewed until it is released. */
export interface HeldSpace {
  /**
   * Grows the reservation to `bytes` in total, unless `neededBytes` are reserved already. Throws `UNAVAILABLE` with the
   * numbers if the space is not available.
   */
  growTo(bytes: number, neededBytes: number): Promise<void>;
  release(): Promise<void>;
}

/** Result of a reservation. */
type Outcome =
  | { readonly kind: 'held'; readonly held: HeldSpace }
  /** `availableBytes` excludes used and reserved space and the safety margin. */
  | { readonly kind: 'full'; readonly availableBytes: number }
  /** More than the total size of the disk. */
  | { readonly kind: 'never'; readonly totalBytes: number };

type Owner = Pick<store.Reservation, 'job_id' | 'lease_id' | 'user_id'>;

/**
 * Admission check that runs in the reserving transaction, before the lock. An error that it throws rejects the
 * reservation.
 */
type Admit = (tx: Tx, bytes: number) => Promise<void>;

async function take(
  context: Context,
  row: store.Reservation,
  admit?: Admit,
  heldBytes = 0,
): Promise<{ kind: 'held' } | Exclude<Outcome, { kind: 'held' }>> {
  return context.db.transaction().execute(async (tx) => {
    await admit?.(tx, row.bytes - heldBytes);
    await store.lockReservations(tx);
    const { freeBytes, totalBytes } = await context.disk.space();
    const { diskMarginBytes } = context.config;
    const reserved = (await store.reservedBytes(tx)) - heldBytes;
    if (row.bytes > totalBytes - diskMarginBytes) return { kind: 'never', totalBytes };
    const availableBytes = Math.max(0, freeBytes - reserved - diskMarginBytes);
    if (row.bytes > availableBytes) return { kind: 'full', availableBytes };
    await store.saveReservation(tx, row, holdSeconds);
    return { kind: 'held' };
  });
}

async function reserve(context: Context, owner: Owner, bytes: number, admit?: Admit): Promise<Outcome> {
  const id = newId();
  let heldBytes = bytes;
  const outcome = await take(context, { ...owner, id, bytes }, admit);
  if (outcome.kind !== 'held') return outcome;
  const timer = setInterval(() => {
    store
      .renewReservation(context.db, id, holdSeconds)
      .catch((error: unknown) =>
        context.log.warn(`reserved disk space was not renewed: ${messageOf(error)}`),
      );
  }, renewMs);
  timer.unref();
  return {
    kind: 'held',
    held: {
      growTo: async (all, neededBytes) => {
        if (neededBytes <= heldBytes) return;
        const grown = await take(context, { ...owner, id, bytes: all }, admit, heldBytes);
        if (grown.kind !== 'held') throw refusalOf(grown, 'this file', all);
        heldBytes = all;
      },
      release: async () => {
        clearInterval(timer);
        await store.removeReservation(context.db, id).catch((error: unknown) => {
          // The reservation expires without renewal.
          context.log.warn(`reserved disk space was not released: ${messageOf(error)}`);
        });
      },
    },
  };
}

function numbersOf(outcome: Exclude<Outcome, { kind: 'held' }>, bytes: number): string {
  return outcome.kind === 'never'
    ? `needs ${byteText(bytes)}, the disk has ${byteText(outcome.totalBytes)} in all`
    : `needs ${byteText(bytes)}, ${byteText(outcome.availableBytes)} are free`;
}

const refusalOf = (outcome: Exclude<Outcome, { kind: 'held' }>, what: string, bytes: number) =>
  unavailable(
    `Not enough disk space on the server: ${what} ${numbersOf(outcome, bytes)}. Nothing was stored; try again later, or ask the administrator.`,
    retryAfterSeconds,
  );

/**
 * Runs a job's work with disk space reserved for it over all processes. A job that does not fit now is requeued with
 * the numbers, without counting the attempt; one that can never fit fails.
 */
export async function withJobSpace(
  context: Context,
  run: Pick<JobRun, 'jobId' | 'leaseId'>,
  bytes: number,
  work: () => Promise<Verdict>,
): Promise<Verdict> {
  if (bytes <= 0) return work();
  const outcome = await reserve(context, { job_id: run.jobId, lease_id: run.leaseId, user_id: null }, bytes);
  if (outcome.kind === 'never')
    return fail(
      `Not enough disk space: ${numbersOf(outcome, bytes)}. Ask the administrator for a larger disk.`,
    );
  if (outcome.kind === 'full')
    return snooze(lookAgainSeconds, `Waiting for disk space: ${numbersOf(outcome, bytes)}`);
  try {
    return await work();
  } finally {
    await outcome.held.release();
  }
}

/**
 * Reserves disk space for data that a request writes. The caller must call `release`. Throws `UNAVAILABLE` with the
 * numbers if the space is not available.
 *
 * @param what subject of the clause with the numbers: `this file`
 * @param storesFor user whose storage the data counts towards; null for data that is not stored
 * @param admit admission check that runs first, in the same transaction, with the added bytes
 */
export async function holdSpace(
  context: Context,
  {
    what,
    bytes,
    storesFor,
  }: { readonly what: string; readonly bytes: number; readonly storesFor: number | null },
  admit?: Admit,
): Promise<HeldSpace> {
  const outcome = await reserve(context, { job_id: null, lease_id: null, user_id: storesFor }, bytes, admit);
  if (outcome.kind !== 'held') throw refusalOf(outcome, what, bytes);
  return outcome.held;
}
