import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { userWithEmail } from '../users/index.ts';
import type { LogInNoticesTable } from './accounts.tables.ts';

/** Failed log-ins before a successful one, as shown to the user. */
export type LogInNotice = Selectable<LogInNoticesTable>;

/** Number of networks counted separately per account; attempts from further networks are counted together. */
const networksPerUser = 100;
const furtherNetworks = 'other networks';

/** Counts a wrong password for the account with this email address; no effect if there is none. */
export async function countFailedLogIn(db: Db, email: string, network: string, now: Date): Promise<void> {
  await sql`
    insert into failed_log_ins as f (user_id, network, attempts, first_at, last_at)
    select u.id,
      case when exists (select from failed_log_ins where user_id = u.id and network = ${network})
        or (select count(*) from failed_log_ins where user_id = u.id) < ${networksPerUser}
        then ${network} else ${furtherNetworks} end,
      1, ${now}, ${now}
    from ${userWithEmail(email)} u
    on conflict (user_id, network) do update
      set attempts = f.attempts + 1, last_at = greatest(f.last_at, excluded.last_at)`.execute(db);
}

/**
 * Moves the failed log-ins of a user to the log-in that follows them, to be shown to the user. Returns null if there
 * were none.
 */
export async function takeFailedLogIns(
  tx: Tx,
  userId: number,
  loginSessionId: string,
): Promise<LogInNotice | null> {
  const rows = await tx.deleteFrom('failed_log_ins').where('user_id', '=', userId).returningAll().execute();
  const [latest] = rows.toSorted((a, b) => b.last_at.getTime() - a.last_at.getTime());
  if (!latest) return null;
  const notice = {
    login_session_id: loginSessionId,
    attempts: rows.reduce((sum, row) => sum + row.attempts, 0),
    networks: rows.length,
    last_network: latest.network,
    first_at: new Date(Math.min(...rows.map((row) => row.first_at.getTime()))),
    last_at: latest.last_at,
  };
  await tx.insertInto('log_in_notices').values(notice).execute();
  return notice;
}

/** Returns the failed log-ins before this one; null if there were none. */
export async function findLogInNotice(db: Db, loginSessionId: string): Promise<LogInNotice | null> {
  const row = await db
    .selectFrom('log_in_notices')
    .selectAll()
    .where('login_session_id', '=', loginSessionId)
    .executeTakeFirst();
  return row ?? null;
}

/** Deletes counts whose last failure is older than `before`. */
export async function deleteOldFailedLogIns(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('failed_log_ins').where('last_at', '<', before).execute();
}
