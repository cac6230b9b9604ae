import { isDeepStrictEqual } from 'node:util';
import type { Quota } from '@stem-studio/contract/resources/usage';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { recordAudit } from '../audit/index.ts';
import { listUsage, saveQuota } from '../quotas/index.ts';

/**
 * Sets a user's quota and records it in the audit log. Absent fields stay unchanged; null is the default, 0 is no
 * limit. Stored data stays even above a new limit. Throws `NOT_FOUND`.
 *
 * @param by affected user, and the acting user: null for the command line
 */
export async function changeQuota(
  context: Context,
  tx: Tx,
  by: { readonly actorId: number | null; readonly userId: number },
  change: Partial<Quota>,
): Promise<void> {
  const quotaNow = async () => (await listUsage(context, [by.userId], tx)).get(by.userId)?.quota;
  const before = await quotaNow();
  if (!before) throw notFound('user');
  await saveQuota(tx, by.userId, change);
  const after = (await quotaNow()) ?? before;
  if (isDeepStrictEqual(before, after)) return;
  await recordAudit(tx, {
    action: 'user_quota_changed',
    actor_user_id: by.actorId,
    target_user_id: by.userId,
    details: { old_quota: before, new_quota: after },
  });
}
