import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type {
  createProject,
  duplicateProject,
  updateProject,
} from '@stem-studio/contract/endpoints/projects';
import { projectChannel } from '@stem-studio/contract/events/projects';
import { editBounds } from '@stem-studio/contract/limits';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import type { OpenedProject, Project } from '@stem-studio/contract/resources/project';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { asReadable } from '../../platform/owned.ts';
import { publish } from '../../platform/socket/publish.ts';
import { listSeparations } from '../processing/index.ts';
import { findOwnedTrack, getReadableTrack, keepOwnTrack } from '../tracks/index.ts';
import { changeProject, projectStems, stateOf } from './edit-log.service.ts';
import { copyLog, insertSnapshot } from './edit-log.store.ts';
import { presentProject, presentProjects } from './present-project.ts';
import * as store from './projects.store.ts';

/** Returns the projects of a readable track. Throws `NOT_FOUND`. */
export async function showProjects(context: Context, viewer: Viewer, trackId: string): Promise<Project[]> {
  const track = await getReadableTrack(context.db, viewer, trackId);
  return presentProjects(context.db, await store.listProjects(context.db, track.id));
}

/** Returns a readable project with its state. Throws `NOT_FOUND`. */
export async function showProject(context: Context, viewer: Viewer, id: string): Promise<OpenedProject> {
  const project = await openInSnapshot(context, id, (row) => asReadable(viewer, row));
  if (!project) throw notFound('project');
  return project;
}

/** Returns a project with its state for a job; null if it was deleted. */
export function readProject(context: Context, id: string): Promise<OpenedProject | null> {
  return openInSnapshot(context, id, (row) => row);
}

type ReadRow = Awaited<ReturnType<typeof store.findProject>>;

/** Reads a project in one snapshot of the database, so that the state is that of the version. */
function openInSnapshot(
  context: Context,
  id: string,
  permitted: (row: ReadRow) => ReadRow,
): Promise<OpenedProject | null> {
  return context.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => openProject(tx, id, permitted));
}

/** Reads a project with its state in the caller's transaction; null if there is none that is permitted. */
export async function openProject(
  tx: Tx,
  id: string,
  permitted: (row: ReadRow) => ReadRow,
): Promise<OpenedProject | null> {
  const row = permitted(await store.findProject(tx, id));
  return row ? { ...(await presentProject(tx, row)), state: await stateOf(tx, row) } : null;
}

/**
 * Creates a project of the caller's track with the stems of a separation, by default that of the track.
 *
 * @throws `NOT_FOUND`, also for a preview or a separation of another track
 * @throws `TRACK_NOT_SEPARATED`, `TOO_MANY_PROJECTS`
 * @spec Projects
 */
export async function addProject(
  context: Context,
  viewer: Viewer,
  trackId: string,
  { name, job_id }: HandlerInput<typeof createProject>['body'],
): Promise<OpenedProject> {
  const track = await findOwnedTrack(context.db, viewer, trackId);
  const jobId = job_id ?? track.stems_job_id;
  if (jobId === null) throw withoutStems();
  const separations = await listSeparations(context, viewer, track.id);
  if (!separations.some((kept) => kept.job_id === jobId && !kept.preview))
    throw job_id === undefined ? withoutStems() : notFound('separation');
  return context.db.transaction().execute(async (tx) => {
    // Stems and track cannot be deleted meanwhile.
    await keepOwnTrack(tx, viewer.id, track.id);
    const stems = await projectStems(tx, jobId);
    if (stems.length === 0) throw withoutStems();
    const { length } = await countedProjects(tx, track.id);
    const state = createProjectState(stems);
    const row = newRow(context, { track_id: track.id, name: name ?? `Edit ${length + 1}`, job_id: jobId });
    await store.insertProject(tx, row);
    await insertSnapshot(tx, row.id, 0, state);
    return { ...(await announceCreated(tx, row)), state };
  });
}

const withoutStems = () =>
  stateForbids('TRACK_NOT_SEPARATED', 'the track has no stems: separate it, then create the project');

function newRow(
  context: Context,
  row: Pick<store.ProjectRow, 'track_id' | 'name' | 'job_id'>,
): store.ProjectRow {
  const now = context.clock.now();
  return { ...row, id: newId(), operations: 0, position: 0, version: 0, created_at: now, updated_at: now };
}

/** Returns the projects of a track, whose number stays until the transaction ends. Throws `TOO_MANY_PROJECTS` if it can have no more. */
async function countedProjects(tx: Tx, trackId: string): Promise<store.ProjectRow[]> {
  await store.lockProjectList(tx, trackId);
  const rows = await store.listProjects(tx, trackId);
  if (rows.length < editBounds.projectsPerTrack) return rows;
  throw stateForbids(
    'TOO_MANY_PROJECTS',
    `a track has at most ${editBounds.projectsPerTrack} projects (it has ${rows.length}): delete one first`,
  );
}

async function announceCreated(tx: Tx, row: store.ProjectRow): Promise<Project> {
  const project = await presentProject(tx, row);
  await publish(tx, projectChannel, { track_id: row.track_id }, 'project_created', { project });
  return project;
}

/** Renames the caller's project. Throws `NOT_FOUND`. */
export function renameProject(
  context: Context,
  viewer: Viewer,
  id: string,
  { name }: HandlerInput<typeof updateProject>['body'],
): Promise<Project> {
  return changeProject(context, viewer, id, async (tx, row) => {
    const change = { name, updated_at: context.clock.now() };
    await store.updateProject(tx, id, change);
    const project = await presentProject(tx, { ...row, ...change });
    await publish(tx, projectChannel, { track_id: row.track_id }, 'project_updated', { project });
    return project;
  });
}

/** Deletes the caller's project with its log. Throws `NOT_FOUND`. */
export function removeProject(context: Context, viewer: Viewer, id: string): Promise<void> {
  return changeProject(context, viewer, id, async (tx, row) => {
    await store.deleteProject(tx, id);
    await publish(tx, projectChannel, { track_id: row.track_id }, 'project_deleted', { project_id: id });
  });
}

/** Copies the caller's project with its log and position. Throws `NOT_FOUND`, `TOO_MANY_PROJECTS`. */
export function copyProject(
  context: Context,
  viewer: Viewer,
  id: string,
  { name }: HandlerInput<typeof duplicateProject>['body'],
): Promise<OpenedProject> {
  return changeProject(context, viewer, id, async (tx, from) => {
    await countedProjects(tx, from.track_id);
    const { track_id, job_id, operations, position } = from;
    const copy = newRow(context, { track_id, job_id, name: name ?? copyName(from.name) });
    const row = { ...copy, operations, position };
    await store.insertProject(tx, row);
    await copyLog(tx, id, row.id);
    return { ...(await announceCreated(tx, row)), state: await stateOf(tx, row) };
  });
}

/** Returns the name of a copy, within the length of a name. */
function copyName(name: string): string {
  const suffix = ' (copy)';
  return `${name.slice(0, editBounds.name - suffix.length).toWellFormed()}${suffix}`;
}
