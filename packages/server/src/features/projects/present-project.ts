import type { EditOperation } from '@stem-studio/contract/resources/edit-operation';
import type { Project } from '@stem-studio/contract/resources/project';
import type { Db } from '../../platform/db/database.ts';
import { listStemJobs } from '../processing/index.ts';
import type { LoggedEdit } from './edit-log.store.ts';
import type { ProjectRow } from './projects.store.ts';

/** Returns projects in their wire format. */
export async function presentProjects(db: Db, rows: readonly ProjectRow[]): Promise<Project[]> {
  const stored = await listStemJobs(
    db,
    rows.map(({ job_id }) => job_id),
  );
  return rows.map((row) => ({
    id: row.id,
    track_id: row.track_id,
    name: row.name,
    job_id: row.job_id,
    has_stems: stored.has(row.job_id),
    operations: row.operations,
    position: row.position,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }));
}

/** Returns a project in its wire format. */
export async function presentProject(db: Db, row: ProjectRow): Promise<Project> {
  const [shown] = await presentProjects(db, [row]);
  if (!shown) throw new Error('a project was not presented');
  return shown;
}

/** Returns an operation in its wire format. */
export function presentEdit(
  { id: project_id, track_id }: Pick<ProjectRow, 'id' | 'track_id'>,
  { id, number, applied_at, edit }: LoggedEdit,
): EditOperation {
  return { id, project_id, track_id, number, ...edit, applied_at: applied_at.toISOString() };
}
