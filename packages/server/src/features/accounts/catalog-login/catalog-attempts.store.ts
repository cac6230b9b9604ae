import type { Db } from '../../../platform/db/database.ts';

/** Remembers that a browser has been sent to the catalog. */
export async function insertAttempt(
  db: Db,
  attempt: { id: string; linking_session_id: string | null; expires_at: Date },
): Promise<void> {
  await db.insertInto('catalog_attempts').values(attempt).execute();
}

/** Uses an attempt up: of two who ask, one gets it. Null when it is used, has run out, or never was. */
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

/** Forgets browsers that did not come back in time. */
export async function deleteExpiredAttempts(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('catalog_attempts').where('expires_at', '<=', now).execute();
}
