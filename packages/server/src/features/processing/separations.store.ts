import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { JobRow } from '../../platform/db/platform-tables.ts';
import { listStemsOfTracks, type StemRow } from './processing.store.ts';

/** A stored separation: its stems, the job that made them, and the name of its network. */
export interface SeparationRow {
  readonly job: Pick<JobRow, 'id' | 'args' | 'started_at' | 'finished_at'>;
  /** Null for methods without a network. */
  readonly network: string | null;
  /** At least one. */
  readonly stems: readonly [StemRow, ...StemRow[]];
}

/** Records that a separation is complete, and the network that made it. */
export async function insertSeparation(tx: Tx, jobId: string, network: string | null): Promise<void> {
  await tx.insertInto('separations').values({ job_id: jobId, network, deleted_at: null }).execute();
}

/** Speed of the newest separations by a model and backend. */
export interface MeasuredSpeed {
  readonly model: string;
  readonly backend: string;
  /** Seconds of music per second of work; above 0. */
  readonly speed: number;
}

/** Number of separations whose mean is the speed of a model. */
const measuredCount = 5;

/**
 * Returns the speed of each model and backend of the local engine: the mean of its newest five separations that still
 * have stems, from the start of the job to its end.
 */
export async function measuredSpeeds(db: Db): Promise<MeasuredSpeed[]> {
  const { rows } = await sql<MeasuredSpeed>`
    with made as (
      select distinct j.id, s.model, s.backend, s.duration_ms, j.finished_at,
        extract(epoch from j.finished_at - j.started_at) * 1000 as work_ms
      from stems s join jobs j on j.id = s.processing_job_id
      where s.engine = 'local' and j.finished_at > j.started_at
    ), newest as (
      select *, row_number() over (partition by model, backend order by finished_at desc) as age from made
    )
    select model, backend, (sum(duration_ms) / sum(work_ms))::float8 as speed
    from newest where age <= ${measuredCount}
    group by model, backend having sum(duration_ms) > 0`.execute(db);
  return rows;
}

/** Records that the stems of separations are deleted. */
export async function markDeleted(tx: Tx, jobIds: readonly string[], now: Date): Promise<void> {
  if (jobIds.length === 0) return;
  await tx.updateTable('separations').set({ deleted_at: now }).where('job_id', 'in', jobIds).execute();
}

/** Returns the separations of a track that have stems, newest first. Previews are included. */
export async function listSeparationsOf(db: Db, trackId: string): Promise<SeparationRow[]> {
  const stemsOf = Map.groupBy(await listStemsOfTracks(db, [trackId]), (stem) => stem.processing_job_id);
  if (stemsOf.size === 0) return [];
  const jobs = await db
    .selectFrom('jobs')
    .leftJoin('separations', 'separations.job_id', 'jobs.id')
    .select(['jobs.id', 'args', 'started_at', 'finished_at', 'network'])
    .where('jobs.id', 'in', [...stemsOf.keys()])
    .orderBy('jobs.finished_at', 'desc')
    .orderBy('jobs.id', 'desc')
    .execute();
  return jobs.flatMap(({ network, ...job }) => {
    const [first, ...more] = stemsOf.get(job.id) ?? [];
    return first ? [{ job, network, stems: [first, ...more] as const }] : [];
  });
}
