import type { JobState } from '@stem-studio/contract/resources/job';
import type { JobType } from '@stem-studio/contract/states';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { perDatabase } from '../db/per-database.ts';
import type { JobRow } from '../db/platform-tables.ts';
import { jobStateOf } from './jobs.store.ts';

/** Type and state of a job. */
export interface TypedJobState {
  readonly type: JobType;
  readonly state: JobState;
}

/** Maximum number of finished jobs whose states are cached. A finished job never changes. */
const maxCached = 20_000;

const finishedOf = perDatabase(() => new Map<string, TypedJobState>());

/** Returns the states of jobs by job id. Deleted jobs are missing. Finished jobs are read from a cache. */
export async function findJobStates(db: Db, ids: readonly string[]): Promise<Map<string, TypedJobState>> {
  const finished = finishedOf(db);
  const states = new Map<string, TypedJobState>();
  const unknown: string[] = [];
  for (const id of ids) {
    const known = finished.get(id);
    if (known) states.set(id, known);
    else unknown.push(id);
  }
  if (unknown.length === 0) return states;
  const { rows } = await sql<JobRow>`select * from jobs where id = any (${unknown}::uuid[])`.execute(db);
  for (const row of rows) {
    const one = { type: row.type, state: jobStateOf(row) };
    states.set(row.id, one);
    if (row.finished_at !== null) finished.set(row.id, one);
  }
  // The oldest entries are evicted first.
  for (const id of finished.keys()) {
    if (finished.size <= maxCached) break;
    finished.delete(id);
  }
  return states;
}
