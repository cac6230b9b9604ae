import { trackSubject } from '../../features/tracks/index.ts';
import { requestJob } from '../../platform/queue/jobs.ts';
import type { Belongings } from './belongings.ts';

/** Inserts a queued cloud separation of a new track of the owner's and returns its id. */
export async function insertCloudJobOf(has: Belongings): Promise<string> {
  const { context, owner } = has;
  const subject = trackSubject((await has.track()).id);
  const args = { model: 'hybrid_4', engine: 'cloud', preview: false, stem_types: ['vocals'] };
  const asked = { type: 'processing', user_id: owner.id, subject, args } as const;
  return (await context.db.transaction().execute((tx) => requestJob(context, tx, asked))).id;
}
