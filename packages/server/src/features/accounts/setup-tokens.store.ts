import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Stores the hash of a new set-up link. */
export async function insertSetupToken(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db.insertInto('setup_tokens').values({ token_hash: tokenHash, created_at: now }).execute();
}

/** Tells whether a set-up link with this hash exists and no link has been used since. */
export async function hasSetupToken(db: Db, tokenHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('setup_tokens')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Serialises transactions that read the set-up links and act on them. */
export async function lockSetupTokens(tx: Tx): Promise<void> {
  await sql`lock table setup_tokens in exclusive mode`.execute(tx);
}

/** Invalidates every set-up link. */
export async function deleteSetupTokens(tx: Tx): Promise<void> {
  await tx.deleteFrom('setup_tokens').execute();
}
