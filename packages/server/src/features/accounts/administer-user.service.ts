import type { Quota } from '@stem-studio/contract/resources/usage';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { forbidden, notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { closeSockets } from '../../platform/socket/close-sockets.ts';
import { recordAudit } from '../audit/index.ts';
import * as users from '../users/index.ts';
import { changeQuota } from './change-quota.service.ts';
import { deactivateUser } from './deactivate.service.ts';

/** Changes that an admin may make to a user. Absent fields stay unchanged. */
export interface UserChange {
  readonly role?: 'user' | 'admin' | undefined;
  readonly status?: users.UserRow['status'] | undefined;
  readonly quota?: Partial<Quota> | undefined;
}

/**
 * Changes a user's role, status or quota with immediate effect. Sockets are closed, and the logins of a deactivated
 * user end. Writes the audit log if anything changed. Throws `NOT_FOUND`; `OWN_ACCOUNT`, so that admins cannot lock
 * themselves out; `FORBIDDEN` if an admin changes a platform admin; `LAST_PLATFORM_ADMIN`.
 *
 * @spec Roles
 */
export async function administerUser(
  context: Context,
  viewer: Viewer,
  userId: number,
  change: UserChange,
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    // Locked so that one platform admin remains when two demote each other at the same time.
    const platformAdmins = await users.lockActiveWithRole(tx, 'platform_admin');
    const user = await users.findUser(tx, userId);
    if (!user) throw notFound('user');
    if (user.id === viewer.id)
      throw stateForbids(
        'OWN_ACCOUNT',
        'you cannot change your own role, status or quota: ask another admin',
      );
    if (user.role === 'platform_admin') requireMayChange(viewer, user, platformAdmins);
    await changeRole(tx, viewer, user, change.role);
    await changeStatus(tx, viewer, user, change.status);
    if (change.quota) await changeQuota(context, tx, { actorId: viewer.id, userId: user.id }, change.quota);
  });
}

function requireMayChange(viewer: Viewer, user: users.UserRow, platformAdmins: readonly number[]): void {
  if (viewer.role !== 'platform_admin' || !platformAdmins.includes(viewer.id))
    throw forbidden('only a platform_admin may change a platform_admin');
  if (platformAdmins.every((id) => id === user.id)) {
    throw stateForbids(
      'LAST_PLATFORM_ADMIN',
      'this is the last platform_admin: give the role to somebody else on the command line first',
    );
  }
}

async function changeRole(
  tx: Tx,
  viewer: Viewer,
  user: users.UserRow,
  role: UserChange['role'],
): Promise<void> {
  if (role === undefined || role === user.role) return;
  await users.updateRole(tx, user.id, role);
  // Open channels were joined with the permissions of the old role.
  await closeSockets(tx, { user_id: user.id });
  await recordAudit(tx, {
    action: 'user_role_changed',
    actor_user_id: viewer.id,
    target_user_id: user.id,
    details: { old_role: user.role, new_role: role },
  });
}

async function changeStatus(
  tx: Tx,
  viewer: Viewer,
  user: users.UserRow,
  status: UserChange['status'],
): Promise<void> {
  if (status === 'deactivated') await deactivateUser(tx, user.id, viewer.id);
  if (status !== 'active' || !(await users.setStatus(tx, user.id, 'active'))) return;
  await recordAudit(tx, {
    action: 'user_activated',
    actor_user_id: viewer.id,
    target_user_id: user.id,
    details: {},
  });
}
