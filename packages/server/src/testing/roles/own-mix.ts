import { mixArgs } from '@stem-studio/contract/resources/mix';
import { trackSubject } from '../../features/tracks/index.ts';
import { newId } from '../../platform/ids.ts';
import { subjectColumns } from '../../platform/queue/job-subject.ts';
import { insertJob, updateJob } from '../../platform/queue/jobs.store.ts';
import type { Belongings } from './belongings.ts';

/** Inserts a completed mix of a new track of the owner's, with its file. Returns the id of its job. */
export async function insertMixOf(has: Belongings): Promise<string> {
  const { context, owner, pattern } = has;
  const { id: trackId } = await has.track();
  const id = newId();
  const created_at = context.clock.now();
  const args = mixArgs.parse({ rows: [{ source: 'mix' }] });
  const subject = subjectColumns(trackSubject(trackId));
  const job = { id, type: 'mix', user_id: owner.id, ...subject, args } as const;
  await context.db.transaction().execute(async (tx) => {
    await insertJob(tx, { ...job, batch_id: null, message: '', max_attempts: 2, created_at });
    await updateJob(tx, id, { status: 'completed', progress: 100, finished_at: created_at });
  });
  await context.files.writeAtomically(`mixes/${id}/mix.wav`, (out) => out.append(pattern.file));
  return id;
}
