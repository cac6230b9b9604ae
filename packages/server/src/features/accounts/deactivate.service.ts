import type { Tx } from '../../platform/db/database.ts';
import { closeSockets } from '../../platform/socket/close-sockets.ts';
import { recordAudit } from '../audit/index.ts';
import { setStatus } from '../users/index.ts';
import { endLoginsOf } from './log-in.service.ts';

/**
 * Deactivates a user with immediate effect: logins and sockets end, and API keys are rejected until the user is
 * reactivated. Returns false if there is no such active user.
 *
 * @param actorUserId acting user; null for the command line
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
