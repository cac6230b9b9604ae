import type { Context } from '../../platform/context.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { findUser } from '../users/index.ts';
import { findLogin } from './login-sessions.store.ts';
import { isPassword } from './passwords.ts';

/** A user without a password proves who they are by having logged in within so many minutes. */
export const freshMinutes = 15;

/** Whether the login of the viewer began within the last {@link freshMinutes}. */
export async function hasFreshLogin(context: Context, viewer: Viewer): Promise<boolean> {
  const now = context.clock.now();
  const login = await findLogin(context.db, viewer.login_session_id ?? '', now);
  return login !== null && now.getTime() - login.session.created_at.getTime() <= freshMinutes * 60_000;
}

/**
 * Checks who is at a browser that is logged in, before something is made that lasts longer than its login: by the
 * password, or for a user who has none by a log-in of the last minutes.
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
