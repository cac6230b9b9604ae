import type { Context } from '../../platform/context.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { findUser } from '../users/index.ts';
import { findLogin } from './login-sessions.store.ts';
import { isPassword } from './passwords.ts';

/** Maximum age of a log-in that proves the identity of a user without a password, in minutes. */
export const freshMinutes = 15;

/** Tells whether the login of the viewer began within the last {@link freshMinutes}. */
export async function hasFreshLogin(context: Context, viewer: Viewer): Promise<boolean> {
  const now = context.clock.now();
  const login = await findLogin(context.db, viewer.login_session_id ?? '', now);
  return login !== null && now.getTime() - login.session.created_at.getTime() <= freshMinutes * 60_000;
}

/**
 * Verifies the identity of a logged-in user by the password, or by a recent log-in without one. Required before
 * creating something that outlives the login.
 */
export async function confirmIdentity(
  context: Context,
  viewer: Viewer,
  password: string,
): Promise<'confirmed' | 'wrong-password' | 'old-login'> {
  const user = await findUser(context.db, viewer.id);
  if (user && user.password_hash === null)
    return (await hasFreshLogin(context, viewer)) ? 'confirmed' : 'old-login';
  return (await isPassword(user?.password_hash ?? null, password)) ? 'confirmed' : 'wrong-password';
}
