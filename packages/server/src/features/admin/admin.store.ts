import type { JobType } from '@stem-studio/contract/states';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Workload of one kind of job. */
export interface Workload {
  readonly type: JobType;
  readonly queued: number;
  readonly running: number;
  readonly completed_last_day: number;
  readonly failed_last_day: number;
  readonly oldest_queued_at: Date | null;
}

/** Returns the workload of each kind in the whole service; kinds without jobs are missing. */
export async function listWorkloads(db: Db, now: Date): Promise<Workload[]> {
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const { rows } = await sql<Workload>`
    select type,
      (count(*) filter (where status = 'queued'))::int as queued,
      (count(*) filter (where finished_at is null and status <> 'queued'))::int as running,
      (count(*) filter (where status = 'completed'))::int as completed_last_day,
      (count(*) filter (where status = 'failed'))::int as failed_last_day,
      min(created_at) filter (where status = 'queued') as oldest_queued_at
    from jobs where finished_at is null or finished_at > ${dayAgo}
    group by type`.execute(db);
  return rows;
}
