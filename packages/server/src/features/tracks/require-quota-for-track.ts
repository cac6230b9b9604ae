import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Need, requireQuota } from '../quotas/index.ts';
import { keepTrack } from './track-facts.store.ts';

/**
 * Checks that a new job of a track fits into its owner's quota. Holds the quota's lock until the transaction ends.
 * Locks the track first: a transaction that holds it and waits for the quota would otherwise deadlock.
 *
 * @throws `QUOTA_EXCEEDED`
 */
export async function requireQuotaForTrack(
  context: Context,
  tx: Tx,
  track: { readonly id: string; readonly user_id: number },
  need: Need,
): Promise<void> {
  await keepTrack(tx, track.id);
  await requireQuota(context, tx, track.user_id, need);
}
