import type { StemType } from '@stem-studio/contract/resources/stem';
import { trackSubject } from '../features/tracks/index.ts';
import type { Context } from '../platform/context.ts';
import { newId } from '../platform/ids.ts';
import { subjectColumns } from '../platform/queue/job-subject.ts';
import { insertJob, updateJob } from '../platform/queue/jobs.store.ts';
import { insertTestTrack } from './test-track.ts';

/** Stems of a separation without files. */
export interface InsertedStems {
  /** Types in the order in which they are written; those of the four-stem model by default. */
  readonly types?: readonly StemType[];
  readonly durationMs?: number;
  readonly isPreview?: boolean;
}

/**
 * Inserts a completed separation of a track, without files, as the default of the track unless it is a preview. Returns
 * the id of its job. For tests of what refers to stems but does not read them.
 */
export async function insertSeparationOf(
  context: Context,
  userId: number,
  trackId: string,
  {
    types = ['drums', 'bass', 'other', 'vocals'],
    durationMs = 60_000,
    isPreview = false,
  }: InsertedStems = {},
): Promise<string> {
  const { db, clock } = context;
  const id = newId();
  const created_at = clock.now();
  const args = { model: 'hybrid_4', engine: 'local', preview: isPreview };
  const job = {
    id,
    type: 'processing',
    user_id: userId,
    ...subjectColumns(trackSubject(trackId)),
    args,
  } as const;
  await db.transaction().execute(async (tx) => {
    await insertJob(tx, { ...job, batch_id: null, message: '', max_attempts: 2, created_at });
    await updateJob(tx, id, { status: 'completed', progress: 100, finished_at: created_at });
  });
  const made = { engine: 'local', model: 'hybrid_4', backend: 'test', created_at } as const;
  const audio = { duration_ms: durationMs, sample_rate: 44_100, channels: 2, file_size: 1000, peak: 0.5 };
  await db
    .insertInto('stems')
    .values(
      types.map((stem_type) => ({
        id: newId(),
        track_id: trackId,
        processing_job_id: id,
        stem_type,
        file_path: `stems/${id}/${stem_type}.wav`,
        ...audio,
        ...made,
      })),
    )
    .execute();
  if (!isPreview)
    await db.updateTable('tracks').set({ stems_job_id: id }).where('id', '=', trackId).execute();
  return id;
}

/** Inserts a track with a completed separation, without files. */
export async function insertSeparatedTrack(
  context: Context,
  userId: number,
  stems: InsertedStems = {},
): Promise<{ readonly trackId: string; readonly jobId: string }> {
  const trackId = await insertTestTrack(context, userId);
  return { trackId, jobId: await insertSeparationOf(context, userId, trackId, stems) };
}
