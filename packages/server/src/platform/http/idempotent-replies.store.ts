import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Identifies an idempotency key: its user, endpoint and key. */
export interface IdempotencyKey {
  readonly userId: number;
  /** Method and path of the endpoint. */
  readonly endpoint: string;
  readonly key: string;
}

/** Stored reply to the first request with a key. */
export interface IdempotentReply {
  readonly fingerprint: string;
  /** HTTP status; null while the first request is in progress. */
  readonly status: number | null;
  readonly body: string | null;
}

const at = ({ userId, endpoint, key }: IdempotencyKey) =>
  sql`user_id = ${userId} and endpoint = ${endpoint} and key = ${key}`;

/**
 * Claims the key for the caller. Returns false if there is a reply since `forgottenBefore`, or an unexpired claim of
 * another request.
 */
export async function claimAnswer(
  db: Db,
  idempotencyKey: IdempotencyKey,
  claim: { id: string; fingerprint: string; now: Date; until: Date; forgottenBefore: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotent_replies as f (user_id, endpoint, key, fingerprint, claim_id, claimed_until, created_at)
    values (${idempotencyKey.userId}, ${idempotencyKey.endpoint}, ${idempotencyKey.key}, ${claim.fingerprint}, ${claim.id}, ${claim.until},
      ${claim.now})
    on conflict (user_id, endpoint, key) do update set
      fingerprint = excluded.fingerprint, claim_id = excluded.claim_id, claimed_until = excluded.claimed_until,
      status = null, body = null, created_at = excluded.created_at
    where f.created_at < ${claim.forgottenBefore} or (f.status is null and f.claimed_until < ${claim.now})
    returning 1`.execute(db);
  return rows.length === 1;
}

/** Returns the stored reply of a key, or undefined. */
export async function findAnswer(
  db: Db,
  idempotencyKey: IdempotencyKey,
): Promise<IdempotentReply | undefined> {
  const { rows } = await sql<IdempotentReply>`
    select fingerprint, status, body from idempotent_replies where ${at(idempotencyKey)}`.execute(db);
  return rows[0];
}

/** Extends the claim while the reply is being produced. */
export async function extendClaim(
  db: Db,
  idempotencyKey: IdempotencyKey,
  claimId: string,
  until: Date,
): Promise<void> {
  await sql`update idempotent_replies set claimed_until = ${until} where ${at(idempotencyKey)} and claim_id = ${claimId}`.execute(
    db,
  );
}

/** Stores the reply if the claim is still held. */
export async function keepAnswer(
  db: Db,
  idempotencyKey: IdempotencyKey,
  claimId: string,
  answer: { readonly status: number; readonly body: string | null },
): Promise<void> {
  await sql`update idempotent_replies set status = ${answer.status}, body = ${answer.body}
    where ${at(idempotencyKey)} and claim_id = ${claimId}`.execute(db);
}

/** Releases the claim without a reply. */
export async function dropClaim(db: Db, idempotencyKey: IdempotencyKey, claimId: string): Promise<void> {
  await sql`delete from idempotent_replies where ${at(idempotencyKey)} and claim_id = ${claimId}`.execute(db);
}

/** Deletes the replies from before a given time. */
export async function deleteAnswers(db: Db, before: Date): Promise<void> {
  await sql`delete from idempotent_replies where created_at < ${before}`.execute(db);
}
