import { email as emailSchema } from '@stem-studio/contract/resources/user';
import type { Context } from '../../platform/context.ts';
import { randomToken } from '../../platform/crypto/secrets.ts';
import type { Tx } from '../../platform/db/database.ts';
import { closeSockets } from '../../platform/socket/close-sockets.ts';
import * as users from '../users/index.ts';
import { type LogInNotice, takeFailedLogIns } from './failed-log-ins.store.ts';
import { hashOfToken } from './hash-of-token.ts';
import * as sessions from './login-sessions.store.ts';
import { isPassword } from './passwords.ts';

/** Lifetime of a login after its last renewal, in days. */
export const loginDays = 60;
const dayMs = 86_400_000;
/** Minimum time between two renewals of a login, so that not every request writes. */
const renewAfterMs = dayMs;
const longestUserAgent = 300;

/** A new login, whose token is stored in the cookie only. */
export interface NewLogin {
  readonly token: string;
}

/** Returns the expiry of a login renewed at `now`. */
function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + loginDays * dayMs);
}

/** Logs a browser in as a user under a fresh session id. */
export async function beginLogin(
  context: Context,
  tx: Tx,
  userId: number,
  userAgent: string,
): Promise<NewLogin> {
  const token = randomToken();
  const now = context.clock.now();
  await sessions.insertLoginSession(tx, {
    id: hashOfToken(token),
    user_id: userId,
    user_agent: userAgent.slice(0, longestUserAgent),
    created_at: now,
    last_seen_at: now,
    expires_at: expiryFrom(now),
  });
  await users.touchUser(tx, userId, now, now);
  return { token };
}

/**
 * Checks an email address and a password and starts a login. Neither the reply nor its duration reveals whether the
 * address is unknown or the password wrong. Deactivation is reported only with the right password.
 * `previousSessionId`, the browser's previous login, ends. `failures` are the preceding failed attempts.
 *
 * @spec Login
 */
export async function logIn(
  context: Context,
  given: { email: string; password: string; userAgent: string; previousSessionId: string | null },
): Promise<(NewLogin & { readonly failures: LogInNotice | null }) | 'wrong' | 'deactivated'> {
  const email = emailSchema.safeParse(given.email);
  const user = email.success ? await users.findUserByEmail(context.db, email.data) : null;
  const right = await isPassword(user?.password_hash ?? null, given.password);
  if (!user || !right) return 'wrong';
  return await context.db.transaction().execute(async (tx) => {
    // Locked and read again: the check takes a while, and the password may have changed since.
    const now = await users.lockUser(tx, user.id);
    if (now?.password_hash !== user.password_hash) return 'wrong';
    if (now.status === 'deactivated') return 'deactivated';
    if (given.previousSessionId) await endLogin(tx, given.previousSessionId);
    const login = await beginLogin(context, tx, user.id, given.userAgent);
    return { ...login, failures: await takeFailedLogIns(tx, user.id, hashOfToken(login.token)) };
  });
}

/** Ends one login and closes its sockets. */
export async function endLogin(tx: Tx, sessionId: string): Promise<void> {
  await sessions.deleteLoginSession(tx, sessionId);
  await closeSockets(tx, { login_session_id: sessionId });
}

/** Ends every login of a user and closes their sockets. API keys are unaffected. */
export async function endLoginsOf(tx: Tx, userId: number): Promise<void> {
  for (const id of await sessions.deleteLoginSessionsOf(tx, userId)) {
    await closeSockets(tx, { login_session_id: id });
  }
}

/** Extends a login in use by another sixty days. */
export async function renewLogin(context: Context, login: sessions.Login): Promise<void> {
  const now = context.clock.now();
  if (now.getTime() - login.session.last_seen_at.getTime() < renewAfterMs) return;
  await sessions.renewLoginSession(context.db, login.session.id, now, expiryFrom(now));
}
