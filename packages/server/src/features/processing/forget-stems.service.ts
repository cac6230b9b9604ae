import type { PipelineStep } from '../../platform/events.ts';
import { markFoldersForDeletion } from '../../platform/files/folders-to-delete.ts';
import { listSeparationJobs, sumStemBytes } from './processing.store.ts';

const folderOf = (jobId: string) => `stems/${jobId}`;

/** Collects the stem folders of a track before its rows, jobs and stems are deleted. */
export const forgetStemsOfTrack: PipelineStep<'track.purged'> = async (_context, tx, { track_id, freed }) => {
  const jobIds = await listSeparationJobs(tx, { trackId: track_id });
  freed({ folders: jobIds.map(folderOf), bytes: await sumStemBytes(tx, track_id) });
};

/** Marks the stem folders of a user for deletion once the account's deletion is committed. */
export const forgetStemsOfUser: PipelineStep<'user.deleted'> = async (context, tx, { user_id }) => {
  await markFoldersForDeletion(
    context,
    tx,
    (await listSeparationJobs(tx, { userId: user_id })).map(folderOf),
  );
};
