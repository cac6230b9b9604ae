import { trackSubject } from '../../features/tracks/index.ts';
import { newId } from '../../platform/ids.ts';
import { subjectColumns } from '../../platform/queue/job-subject.ts';
import { insertJob } from '../../platform/queue/jobs.store.ts';
import type { Belongings } from './belongings.ts';

/** Inserts notes detected in a new track of the owner's. Returns their id and the id of their job. */
export async function insertNotesOf(has: Belongings): Promise<{ id: string; jobId: string }> {
  const { id: track_id } = await has.track();
  const created_at = has.context.clock.now();
  const settings = {
    source: 'mix',
    stem_id: null,
    onset_threshold: 0.5,
    frame_threshold: 0.3,
    minimum_note_ms: 128,
    monophonic: false,
  } as const;
  const [id, jobId] = [newId(), newId()];
  const subject = subjectColumns(trackSubject(track_id));
  const job = { id: jobId, type: 'notes', user_id: has.owner.id, ...subject, args: settings } as const;
  await has.context.db
    .transaction()
    .execute((tx) => insertJob(tx, { ...job, batch_id: null, message: '', max_attempts: 2, created_at }));
  const notes = [{ start_ms: 0, end_ms: 500, pitch: 60, velocity: 90, bends_cents: [0, 3] }];
  await has.context.db
    .insertInto('transcriptions')
    .values({
      ...settings,
      id,
      track_id,
      job_id: jobId,
      notes: JSON.stringify(notes),
      note_count: notes.length,
      created_at,
    })
    .execute();
  return { id, jobId };
}
