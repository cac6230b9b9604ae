import { projectChannel } from '@stem-studio/contract/events/projects';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { PipelineEvents } from '../../platform/events.ts';
import { publish } from '../../platform/socket/publish.ts';
import { listStemJobs } from '../processing/index.ts';
import { findTrack } from '../tracks/index.ts';
import { projectStems } from './edit-log.service.ts';
import { findSnapshot } from './edit-log.store.ts';
import { presentProject } from './present-project.ts';
import * as store from './projects.store.ts';

/**
 * Lets the projects of deleted stems use those of the separation that takes their place, if it has the same ones.
 * Otherwise they are kept without stems.
 */
export async function keepProjects(
  _context: Context,
  tx: Tx,
  { track_id, job_id, next }: PipelineEvents['stems.deleted'],
): Promise<void> {
  for (const row of await store.lockProjectsOf(tx, track_id)) {
    if (row.job_id !== job_id) continue;
    const nextId = next !== null && (await hasStemsOf(tx, row, next)) ? next : job_id;
    await changeStems(tx, row, nextId);
  }
}

/** Lets projects without stems use those of a new separation of their track, if it has the same ones. */
export async function reviveProjects(
  _context: Context,
  tx: Tx,
  { track_id, job_id }: PipelineEvents['processing.completed'],
): Promise<void> {
  // A preview of a separation is not the track's separation.
  if ((await findTrack(tx, track_id))?.stems_job_id !== job_id) return;
  const rows = await store.lockProjectsOf(tx, track_id);
  const stored = await listStemJobs(
    tx,
    rows.map((row) => row.job_id),
  );
  for (const row of rows) {
    if (!stored.has(row.job_id) && (await hasStemsOf(tx, row, job_id))) await changeStems(tx, row, job_id);
  }
}

/** Returns whether a separation has a stem for each source of a project. */
async function hasStemsOf(tx: Tx, { id }: store.ProjectRow, jobId: string): Promise<boolean> {
  const types = new Set((await projectStems(tx, jobId)).map(({ stem_type }) => stem_type));
  const sources = (await findSnapshot(tx, id, 0))?.state.sources ?? [];
  return sources.length > 0 && sources.every(({ source }) => types.has(source));
}

async function changeStems(tx: Tx, row: store.ProjectRow, jobId: string): Promise<void> {
  if (jobId !== row.job_id) await store.updateProject(tx, row.id, { job_id: jobId });
  const project = await presentProject(tx, { ...row, job_id: jobId });
  await publish(tx, projectChannel, { track_id: row.track_id }, 'project_updated', { project });
}
