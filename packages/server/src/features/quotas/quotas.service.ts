import { byteText, partialBytesText } from '@stem-studio/contract/byte-text';
import type { DeletedTracks, Quota, Usage } from '@stem-studio/contract/resources/usage';
import type { Config } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { notFound, ServiceError, stateForbids } from '../../platform/errors.ts';
import { emit } from '../../platform/events.ts';
import * as store from './quotas.store.ts';

/** Resources that new work requires from its user's quotas. */
export interface Need {
  /** Name of the work at the start of a clause: `this separation`. */
  readonly what: string;
  /** Bytes that it is going to store. */
  readonly bytes?: number;
  /** Tracks added in the same transaction. */
  readonly newTracks?: number;
  /** Jobs about to be added. */
  readonly jobs?: number;
  /** Number of separations among those jobs. */
  readonly stemSets?: number;
}

/**
 * Returns the limits of a user: their own, otherwise the configured defaults, from which a platform_admin is exempt.
 * Null means no limit.
 */
function limitsOf({ quotas }: Context['config'], row: store.UsageRow) {
  const limit = (own: number | null, usual: number) => {
    const value = own ?? (row.role === 'platform_admin' ? 0 : usual);
    return value === 0 ? null : value;
  };
  const { quota } = row;
  return {
    storageBytes: limit(quota.storage_bytes, quotas.storageBytes),
    tracks: limit(quota.tracks, quotas.tracks),
    queuedJobs: limit(quota.queued_jobs, quotas.queuedJobs),
    stemSets: limit(quota.stem_sets, quotas.stemSets),
  } satisfies Record<keyof Config['quotas'], number | null>;
}

const askAdmin = 'or ask the administrator';
const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

/** Returns the exceeded quota and a message; null if the work fits. */
function refusalOf(
  context: Context,
  row: store.UsageRow,
  need: Need,
  trashBytes: number,
): [keyof Quota, string] | null {
  const limits = limitsOf(context.config, row);
  const { bytes = 0, newTracks = 0, jobs = 0, stemSets = 0, what } = need;
  const used = row.stored_bytes + row.expected_bytes;
  if (bytes > 0 && limits.storageBytes !== null && used + bytes > limits.storageBytes) {
    const parts = [
      ...(row.expected_bytes > 0 ? [`${byteText(row.expected_bytes)} of it by unfinished work`] : []),
      ...(trashBytes > 0 ? [`${byteText(trashBytes)} of it in the trash`] : []),
    ];
    const waiting = parts.length > 0 ? ` (${parts.join(', ')})` : '';
    const remedy = trashBytes > 0 ? 'Empty the trash, delete' : 'Delete';
    return [
      'storage_bytes',
      `Your storage is full: ${partialBytesText(used, limits.storageBytes)} used${waiting}, ${what} needs ${byteText(bytes)}. ${remedy} tracks or stems, ${askAdmin}.`,
    ];
  }
  if (newTracks > 0 && limits.tracks !== null && row.tracks > limits.tracks) {
    return [
      'tracks',
      `Your library is full: ${row.tracks - newTracks} of ${counted(limits.tracks, 'track')} used, ${what} adds ${newTracks}. Delete tracks, ${askAdmin}.`,
    ];
  }
  if (stemSets > 0 && limits.stemSets !== null && row.stem_sets + stemSets > limits.stemSets) {
    return [
      'stem_sets',
      `You have too many stems: ${row.stem_sets} of ${counted(limits.stemSets, 'separation')} stored or waiting. Delete tracks or stems, ${askAdmin}.`,
    ];
  }
  if (jobs > 0 && limits.queuedJobs !== null && row.queued_jobs + jobs > limits.queuedJobs) {
    return [
      'queued_jobs',
      `Too many jobs are waiting: ${row.queued_jobs} of ${limits.queuedJobs}, ${what} adds ${jobs}. Wait for some to finish or cancel some, ${askAdmin}.`,
    ];
  }
  return null;
}

/**
 * Throws `QUOTA_EXCEEDED` with the numbers unless the work fits into its user's quotas. Holds a lock until the
 * transaction ends, so that two concurrent requests cannot both pass. Call it after taking every other lock of the
 * transaction, and insert the jobs right after it.
 */
export async function requireQuota(context: Context, tx: Tx, userId: number, need: Need): Promise<void> {
  await store.lockUsage(tx, userId);
  const row = (await store.readUsage(tx, [userId])).get(userId);
  // The trash is read only for the message of a refusal.
  const isRefused = row && refusalOf(context, row, need, 0) !== null;
  const refusal = isRefused
    ? refusalOf(context, row, need, (await readDeleted(context, tx, userId)).bytes)
    : null;
  if (refusal) throw stateForbids('QUOTA_EXCEEDED', refusal[1], { [refusal[0]]: [refusal[1]] });
}

/** Tells whether an error is an exceeded quota. */
export function isQuotaExceeded(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED';
}

function present(context: Context, row: store.UsageRow): Usage {
  const limits = limitsOf(context.config, row);
  return {
    storage: {
      used_bytes: row.stored_bytes,
      expected_bytes: row.expected_bytes,
      limit_bytes: limits.storageBytes,
    },
    tracks: { used: row.tracks, limit: limits.tracks },
    queued_jobs: { used: row.queued_jobs, limit: limits.queuedJobs },
    stem_sets: { used: row.stem_sets, limit: limits.stemSets },
  };
}

/** Returns usage, effective limits and individual limits of users by their ids. */
export async function listUsage(
  context: Context,
  userIds: readonly number[],
  db: Db = context.db,
): Promise<Map<number, { readonly usage: Usage; readonly quota: Quota }>> {
  const rows = await store.readUsage(db, userIds);
  return new Map([...rows].map(([id, row]) => [id, { usage: present(context, row), quota: row.quota }]));
}

/** Returns a user's usage and limits, and the space still held by their deleted tracks. Throws `NOT_FOUND`. */
export async function showUsage(
  context: Context,
  userId: number,
): Promise<Usage & { readonly deleted: DeletedTracks }> {
  const found = (await listUsage(context, [userId])).get(userId);
  if (!found) throw notFound('user');
  const deleted = await context.db.transaction().execute((tx) => readDeleted(context, tx, userId));
  return { ...found.usage, deleted };
}

/** Returns the space held by a user's deleted tracks, which the feature of the tracks reports. */
async function readDeleted(context: Context, tx: Tx, userId: number): Promise<DeletedTracks> {
  let deleted: DeletedTracks = { tracks: 0, bytes: 0, removed_at: null };
  const report = (part: DeletedTracks) => {
    deleted = part;
  };
  await emit(context, tx, 'usage.requested', { user_id: userId, report });
  return deleted;
}
