import { whileNoBackup } from '../../platform/backup/deletion-hold.store.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/queue/worker.ts';
import { type AudioSourceRow, findSourceByKey, usesSource } from '../tracks/index.ts';
import { type DownloadArgs, sourceFolder } from './download-args.ts';
import { discard, type Received } from './receive-audio.ts';

/**
 * Returns the stored source with the received bytes if this user has it already. Bytes that only other users have are
 * checked and prepared like new ones: otherwise the duration would reveal that another user has them.
 */
export async function findOwnSource(
  { db }: Context,
  run: JobRun,
  received: Received,
): Promise<AudioSourceRow | undefined> {
  const stored = await findSourceByKey(db, received.sourceKey);
  if (!stored || stored.id === received.sourceId) return stored;
  return (await usesSource(db, run.userId, stored.id)) ? stored : undefined;
}

/**
 * Checks that a known source has not been deleted with its last owner meanwhile. If it has, removes the files that this
 * job has put beside it. The bytes of an upload cannot be received again and are kept for the next attempt.
 *
 * @throws RetryableError when the source is gone; the next attempt receives it again
 */
export async function requireKept(
  context: Context,
  db: Db,
  { source }: DownloadArgs,
  received: Received,
  known: AudioSourceRow | undefined,
): Promise<void> {
  if (!known || (await findSourceByKey(db, known.source_key))?.id === known.id) return;
  if (known.id !== received.sourceId)
    await whileNoBackup(context, () => context.files.removeFolder(sourceFolder(known.id)));
  if (source.kind !== 'upload') await discard(context, received, known);
  throw new RetryableError('the audio that was there was deleted with its last owner');
}
