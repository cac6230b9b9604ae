import type { Tx } from '../../platform/db/database.ts';
import { closeSockets } from '../../platform/socket/close-sockets.ts';
import { recordAudit } from '../audit/index.ts';
import { setStatus } from '../users/index.ts';
import { endLoginsOf } from './log-in.service.ts';

/**
 * Makes a user unable to come in, from this moment on: logins and sockets end, API keys open nothing as long as the
 * user is not activated again. False when there is no such active user.
 *
 * @param actorUserId who decided it; null for the command line
 * @spec Deactivation and deletion
 */
export async function deactivateUser(tx: Tx, userId: number, actorUserId: number | null): Promise<boolean> {
  if (!(await setStatus(tx, userId, 'deactivated'))) return false;
  await endLoginsOf(tx, userId);
  await closeSockets(tx, { user_id: userId });
  await recordAudit(tx, {
    action: 'user_deactivated',
    actor_user_id: actorUserId,
    target_user_id: userId,
    details: {},
  });
  return true;
}
