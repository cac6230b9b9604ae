import { editBounds } from '@stem-studio/contract/limits';
import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import type { IdentifiedEdit } from '@stem-studio/contract/resources/edit-operation';
import type { OpenedProject, ProjectState } from '@stem-studio/contract/resources/project';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { asReadable } from '../../platform/owned.ts';
import { insertLog, insertSnapshot, listEdits } from './edit-log.store.ts';
import { openProject } from './projects.service.ts';
import * as store from './projects.store.ts';

/** An operation of a log that is archived. */
export interface ArchivedEdit {
  readonly applied_at: string;
  readonly edit: IdentifiedEdit;
}

/** A project with the whole of its log. */
export interface ProjectWithLog {
  readonly project: OpenedProject;
  /** In their order; those after the position are undone. */
  readonly operations: readonly ArchivedEdit[];
}

/** Returns any project with its log; null if there is none with this id. */
export function readProjectLog(context: Context, id: string): Promise<ProjectWithLog | null> {
  return readLog(context, id, (row) => row);
}

/** Returns a readable project with its log. Throws `NOT_FOUND`. */
export async function showProjectLog(context: Context, viewer: Viewer, id: string): Promise<ProjectWithLog> {
  const logged = await readLog(context, id, (row) => asReadable(viewer, row));
  if (!logged) throw notFound('project');
  return logged;
}

/** Reads a project with its log in one snapshot of the database. */
function readLog(
  context: Context,
  id: string,
  permitted: Parameters<typeof openProject>[2],
): Promise<ProjectWithLog | null> {
  return context.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const project = await openProject(tx, id, permitted);
      if (!project) return null;
      const logged = await listEdits(tx, id);
      const operations = logged.map(({ id: editId, applied_at, edit }) => ({
        applied_at: applied_at.toISOString(),
        edit: { ...edit, id: editId },
      }));
      return { project, operations };
    });
}

/** States of a project after some of its operations, by number. */
export interface ReplayedLog {
  readonly snapshots: ReadonlyMap<number, ProjectState>;
  /** State at the position. */
  readonly state: ProjectState;
}

/**
 * Applies a log to the state of a new project. Yields to other work after every 50 operations.
 *
 * @param sources lengths of the stems of the new project
 */
export async function replayLog(
  sources: ProjectState['sources'],
  operations: readonly ArchivedEdit[],
  position: number,
): Promise<ReplayedLog> {
  let state = createProjectState(
    sources.map(({ source, length_ms }) => ({ stem_type: source, duration_ms: length_ms })),
  );
  const snapshots = new Map([[0, state]]);
  let atPosition = state;
  for (const [index, { edit }] of operations.entries()) {
    state = applyEdit(state, edit);
    const number = index + 1;
    if (number === position) atPosition = state;
    if (number % editBounds.snapshotEvery !== 0) continue;
    snapshots.set(number, state);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { snapshots, state: atPosition };
}

/** A project of another studio, to be stored for a track of this one. */
export interface RestoredProject {
  readonly trackId: string;
  readonly jobId: string;
  readonly name: string;
  readonly operations: readonly ArchivedEdit[];
  readonly position: number;
  readonly replayed: ReplayedLog;
}

/**
 * Inserts a project with its log and snapshots in the caller's transaction, and returns its id.
 *
 * @spec Project archives
 */
export async function restoreProject(
  context: Context,
  tx: Tx,
  { trackId, jobId, name, operations, position, replayed }: RestoredProject,
): Promise<string> {
  const now = context.clock.now();
  const id = newId();
  await store.insertProject(tx, {
    id,
    track_id: trackId,
    job_id: jobId,
    name,
    operations: operations.length,
    position,
    version: 0,
    created_at: now,
    updated_at: now,
  });
  const entries = operations.map(({ applied_at, edit: { id: editId, ...edit } }, index) => ({
    id: editId,
    number: index + 1,
    applied_at: new Date(applied_at),
    edit,
  }));
  await insertLog(tx, id, entries);
  for (const [number, state] of replayed.snapshots) await insertSnapshot(tx, id, number, state);
  return id;
}
