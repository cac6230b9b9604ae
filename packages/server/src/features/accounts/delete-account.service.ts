import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { emit } from '../../platform/events.ts';
import { deleteMarkedFolders } from '../../platform/files/folders-to-delete.ts';
import { cancelJobsOf } from '../../platform/queue/job-batches.ts';
import { closeSockets } from '../../platform/socket/close-sockets.ts';
import { recordAudit } from '../audit/index.ts';
import * as users from '../users/index.ts';
import { endLoginsOf } from './log-in.service.ts';
import { isPassword } from './passwords.ts';

/** Reasons to refuse the deletion of an account. `confirmation`: the identity of the user was not proved. */
export type DeletionRefusal = 'confirmation' | 'last_platform_admin';

/** Tells whether no other user could assign roles if this user were deleted. */
export async function isLastPlatformAdmin(tx: Tx, userId: number): Promise<boolean> {
  const admins = await users.lockActiveWithRole(tx, 'platform_admin');
  return admins.length === 1 && admins[0] === userId;
}

/**
 * Deletes a user irreversibly with all their data: logins, keys, sockets, jobs, tracks, and files that no other user
 * has. Returns null on success. The audit log keeps an entry that names the account by its number only.
 *
 * @param given.confirmation the password; for users of the catalog without one, their email address
 * @see docs/decisions/0082-deleting-an-account.md
 */
export async function deleteAccount(
  context: Context,
  userId: number,
  given: { readonly confirmation: string },
): Promise<DeletionRefusal | null> {
  const user = await users.findUser(context.db, userId);
  if (!user || !(await isConfirmed(user, given.confirmation))) return 'confirmation';
  const later: (() => Promise<void>)[] = [];
  const refusal = await context.db.transaction().execute(async (tx) => {
    if (await isLastPlatformAdmin(tx, userId)) return 'last_platform_admin';
    if (!(await users.lockUser(tx, userId))) return null;
    await closeSockets(tx, { user_id: userId });
    await endLoginsOf(tx, userId);
    await cancelJobsOf(context, tx, userId);
    await emit(context, tx, 'user.deleted', { user_id: userId, later: (work) => void later.push(work) });
    await users.deleteUser(tx, userId);
    await recordAudit(tx, {
      action: 'user_deleted',
      actor_user_id: userId,
      target_user_id: userId,
      details: {},
    });
    return null;
  });
  if (refusal !== null) return refusal;
  for (const work of later)
    work().catch((error: unknown) =>
      context.log.warn({ err: error }, 'a step after the deletion of an account failed'),
    );
  // Files left by a crash at this point are removed by the next sweep.
  await deleteMarkedFolders(context);
  return null;
}

async function isConfirmed(user: users.UserRow, confirmation: string): Promise<boolean> {
  if (user.password_hash !== null) return isPassword(user.password_hash, confirmation);
  return confirmation.trim().toLowerCase() === user.email;
}
