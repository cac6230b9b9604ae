import { buffer } from 'node:stream/consumers';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import { prepareArchive } from '../../features/exports/index.ts';
import { readProjectLog } from '../../features/projects/index.ts';
import { storedEdit, storedProjectState } from '../../features/projects/stored-project.ts';
import { newId } from '../../platform/ids.ts';
import type { Belongings } from './belongings.ts';

/** Inserts a project of a new track of the owner's with one operation, and returns its id. */
export async function insertProjectOf(has: Belongings): Promise<string> {
  const { trackId: track_id, jobs } = await has.stem();
  const { db, clock } = has.context;
  const now = clock.now();
  const id = newId();
  const counts = { operations: 1, position: 1, version: 1 };
  const times = { created_at: now, updated_at: now };
  await db
    .insertInto('projects')
    .values({ id, track_id, name: has.owner.mark, job_id: jobs.processing, ...counts, ...times })
    .execute();
  const state = createProjectState([{ stem_type: 'vocals', duration_ms: 1000 }]);
  await db
    .insertInto('project_snapshots')
    .values({ project_id: id, number: 0, state: storedProjectState.toText(state) })
    .execute();
  const edit = storedEdit.toText({ operation: 'mute', params: { value: 1 } });
  await db
    .insertInto('edit_operations')
    .values({ project_id: id, id: newId(), number: 1, edit, applied_at: now, dropped_at: null })
    .execute();
  return id;
}

/** Returns the archive of a project of the owner's. */
export async function archiveOf(has: Belongings): Promise<Buffer> {
  const logged = await readProjectLog(has.context, await insertProjectOf(has));
  if (!logged) throw new Error('the project was not inserted');
  const archive = await prepareArchive(has.context, logged);
  try {
    return await buffer(archive.stream());
  } finally {
    await archive.release();
  }
}
