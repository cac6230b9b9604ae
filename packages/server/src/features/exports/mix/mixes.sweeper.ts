import { uuid } from '@stem-studio/contract/ids';
import { keptMixes } from '@stem-studio/contract/limits';
import type { Context } from '../../../platform/context.ts';
import type { PipelineStep } from '../../../platform/events.ts';
import { markFoldersForDeletion } from '../../../platform/files/folders-to-delete.ts';
import { findJob, listJobs } from '../../../platform/queue/jobs.store.ts';
import { trackSubject } from '../../tracks/index.ts';
import { mixFolder } from './mix-args.ts';

/**
 * Deletes the files of mixes that were rendered more than a day ago, or whose job no longer exists. Returns their
 * number.
 */
export async function removeExpiredMixes(context: Context): Promise<number> {
  const { clock, db, files } = context;
  const before = clock.now().getTime() - keptMixes.seconds * 1000;
  let removed = 0;
  for (const { name, modified } of await files.listFolders('mixes')) {
    // The service names its folders by id, so that other folders are not its own.
    if (!uuid.safeParse(name).success) continue;
    if (modified.getTime() >= before && (await findJob(db, name))) continue;
    await files.removeFolder(mixFolder(name));
    removed++;
  }
  return removed;
}

/** Deletes the files of a user's oldest mixes, so that the most recent ones and that of `jobId` remain. */
export async function removeOldMixes({ db, files }: Context, userId: number, jobId: string): Promise<void> {
  const jobs = await listJobs(db, { user_id: userId, type: 'mix', statuses: ['completed'] });
  const older = jobs.filter(({ id }) => id !== jobId).slice(keptMixes.perUser - 1);
  const stored = new Set((await files.listFolders('mixes')).map(({ name }) => name));
  for (const { id } of older) if (stored.has(id)) await files.removeFolder(mixFolder(id));
}

/** Collects the files of a track's mixes before its jobs are deleted. */
export const forgetMixesOfTrack: PipelineStep<'track.purged'> = async (_context, tx, { track_id, freed }) => {
  const jobs = await listJobs(tx, { type: 'mix', subject: trackSubject(track_id) });
  freed({ folders: jobs.map(({ id }) => mixFolder(id)), bytes: 0 });
};

/** Marks the files of a user's mixes for deletion once the account's deletion is committed. */
export const forgetMixesOfUser: PipelineStep<'user.deleted'> = async (context, tx, { user_id }) => {
  const jobs = await listJobs(tx, { type: 'mix', user_id });
  await markFoldersForDeletion(
    context,
    tx,
    jobs.map(({ id }) => mixFolder(id)),
  );
};
