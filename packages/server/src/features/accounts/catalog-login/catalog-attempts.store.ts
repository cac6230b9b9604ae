import type { Db } from '../../../platform/db/database.ts';

/** Stores that a browser was sent to the catalog. */
export async function insertAttempt(
  db: Db,
  attempt: { id: string; linking_session_id: string | null; expires_at: Date },
): Promise<void> {
  await db.insertInto('catalog_attempts').values(attempt).execute();
}

/**
 * Consumes an attempt, for exactly one of several concurrent callers. Returns null if it is used, expired or unknown.
 */
export async function takeAttempt(
  db: Db,
  id: string,
  now: Date,
): Promise<{ readonly linking_session_id: string | null } | null> {
  const row = await db
    .deleteFrom('catalog_attempts')
    .where('id', '=', id)
    .returning(['linking_session_id', 'expires_at'])
    .executeTakeFirst();
  return row && row.expires_at > now ? row : null;
}

/** Deletes expired attempts of browsers that did not return. */
export async function deleteExpiredAttempts(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('catalog_attempts').where('expires_at', '<=', now).execute();
}
