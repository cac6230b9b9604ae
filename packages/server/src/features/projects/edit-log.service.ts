import type { HandlerInput, ReplyOf } from '@stem-studio/contract/endpoint';
import type { addEditOperations, setProjectPosition } from '@stem-studio/contract/endpoints/projects';
import { projectChannel } from '@stem-studio/contract/events/projects';
import { editBounds } from '@stem-studio/contract/limits';
import { applyEdit, type EditLimit, exceededBy } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState, type ProjectStem } from '@stem-studio/contract/projects/project-state';
import type { EditOperation, IdentifiedEdit } from '@stem-studio/contract/resources/edit-operation';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { failure, invalid, notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { KeyedMutex } from '../../platform/keyed-mutex.ts';
import { asReadable, type Owned, own } from '../../platform/owned.ts';
import { publish } from '../../platform/socket/publish.ts';
import { listStems } from '../processing/index.ts';
import * as log from './edit-log.store.ts';
import { presentEdit } from './present-project.ts';
import * as store from './projects.store.ts';

/** Version and position of a project after a change. */
type LogPosition = Pick<store.ProjectRow, 'version' | 'position'>;

/** Error for a limit of the state of a project. */
const limitErrors: Readonly<
  Record<EditLimit, { readonly code: 'TOO_MANY_CLIPS' | 'TOO_MANY_NOTES'; readonly most: number }>
> = {
  clips: { code: 'TOO_MANY_CLIPS', most: editBounds.clipsPerProject },
  notes: { code: 'TOO_MANY_NOTES', most: editBounds.notesPerProject },
};

/** In-process queue per project: its windows need the same row and must not wait with a database connection each. */
const projectMutex = new KeyedMutex();

/** Runs a change of the caller's project in a transaction that holds its row. Throws `NOT_FOUND`. */
export function changeProject<T>(
  context: Context,
  viewer: Viewer,
  id: string,
  change: (tx: Tx, row: Owned<store.OwnedProjectRow>) => Promise<T>,
): Promise<T> {
  return projectMutex.runExclusive(id, () =>
    context.db.transaction().execute(async (tx) => {
      await store.limitLockWait(tx);
      const row = own(viewer, await store.lockProject(tx, id));
      if (!row) throw notFound('project');
      return change(tx, row);
    }),
  );
}

/** Returns the stems of a separation as a project needs them. */
export async function projectStems(db: Db, jobId: string): Promise<ProjectStem[]> {
  return (await listStems(db, jobId)).map(({ stem_type, duration_ms }) => ({ stem_type, duration_ms }));
}

/** Returns the state of a project after some of its operations, by default those that are applied. */
export async function stateOf(
  db: Db,
  { id, job_id, ...row }: store.ProjectRow,
  position = row.position,
): Promise<ProjectState> {
  // Without a readable snapshot the log is applied from its start.
  const snapshot = (await log.findSnapshot(db, id, position)) ?? {
    number: 0,
    state: createProjectState(await projectStems(db, job_id)),
  };
  const edits = await log.listEdits(db, id, { after: snapshot.number, until: position });
  return edits.reduce((state, entry) => applyEdit(state, { ...entry.edit, id: entry.id }), snapshot.state);
}

/** Returns the log of a readable project. Throws `NOT_FOUND`. */
export async function showEdits(context: Context, viewer: Viewer, id: string): Promise<EditOperation[]> {
  const row = asReadable(viewer, await store.findProject(context.db, id));
  if (!row) throw notFound('project');
  return (await log.listEdits(context.db, id)).map((edit) => presentEdit(row, edit));
}

/**
 * Appends operations to the log of the caller's project, all or none. Operations after its position are dropped.
 *
 * @returns `isNew` is false if the log had all of them already
 * @throws `NOT_FOUND`, `PROJECT_WITHOUT_STEMS`, `TOO_MANY_OPERATIONS`, `TOO_MANY_CLIPS`, `TOO_MANY_NOTES`
 * @spec Edit operations
 */
export function addEdits(
  context: Context,
  viewer: Viewer,
  id: string,
  { edits }: HandlerInput<typeof addEditOperations>['body'],
): Promise<{ readonly isNew: boolean; readonly reply: ReplyOf<typeof addEditOperations>['data'] }> {
  return changeProject(context, viewer, id, async (tx, row) => {
    const ids = [...new Set(edits.map((edit) => edit.id))];
    const known = await log.listKnownEdits(tx, id, ids);
    const fresh = ids
      .filter((one) => !known.has(one))
      .flatMap((one) => edits.find((edit) => edit.id === one) ?? []);
    const after = fresh.length === 0 ? row : await appendEdits(context, tx, row, fresh);
    const operations = (await log.listEdits(tx, id, { ids })).map((edit) => presentEdit(row, edit));
    return {
      isNew: fresh.length > 0,
      reply: { version: after.version, position: after.position, operations },
    };
  });
}

/** Appends operations that are new to a log, and publishes them. */
async function appendEdits(
  context: Context,
  tx: Tx,
  row: Owned<store.OwnedProjectRow>,
  edits: readonly IdentifiedEdit[],
): Promise<LogPosition> {
  const position = row.position + edits.length;
  await requireStems(tx, row);
  requireFreeEntries(row, position, edits.length);
  const now = context.clock.now();
  const dropped = row.operations - row.position;
  if (dropped > 0) await log.dropEdits(tx, row.id, row.position, now);
  await storeSnapshots(tx, row, edits);
  const stored = await log.insertEdits(tx, row.id, edits, row.position + 1, now);
  const after = { version: row.version + 1, position };
  await store.updateProject(tx, row.id, { ...after, operations: position, updated_at: now });
  const operations = stored.map((edit) => presentEdit(row, edit));
  const event = { project_id: row.id, ...after, operations, dropped };
  await publish(tx, projectChannel, { track_id: row.track_id }, 'operations_added', event);
  return after;
}

async function requireStems(tx: Tx, { job_id }: store.ProjectRow): Promise<void> {
  if ((await listStems(tx, job_id)).length > 0) return;
  throw stateForbids(
    'PROJECT_WITHOUT_STEMS',
    'the stems of this project were deleted; its operations are kept. Separate the track into the same stems again, then the project uses those',
  );
}

function requireFreeEntries(row: store.ProjectRow, position: number, added: number): void {
  if (position <= editBounds.operations) return;
  const rule = `a project has at most ${editBounds.operations} operations`;
  throw stateForbids(
    'TOO_MANY_OPERATIONS',
    `${rule} (it has ${row.position}, and ${added} were sent, of which none was added). Undo some, or start another project`,
    { edits: [`must be at most ${editBounds.operations - row.position} (got ${added})`] },
  );
}

/**
 * Applies operations to the state of a project, stores the snapshots that are due among them, and throws
 * `TOO_MANY_CLIPS` or `TOO_MANY_NOTES` if one of them is not applied for that reason.
 */
async function storeSnapshots(
  tx: Tx,
  row: store.ProjectRow,
  edits: readonly IdentifiedEdit[],
): Promise<void> {
  let state = await stateOf(tx, row);
  for (const [index, edit] of edits.entries()) {
    const after = applyEdit(state, edit);
    const exceeded = after === state ? exceededBy(state, edit) : null;
    if (exceeded) {
      const { code, most } = limitErrors[exceeded];
      throw stateForbids(
        code,
        `a project has at most ${most} ${exceeded}, and "${edit.operation}" would exceed that; none of the operations was added`,
        { [`edits.${index}`]: [`would leave more than ${most} ${exceeded}`] },
      );
    }
    state = after;
    const number = row.position + index + 1;
    if (number % editBounds.snapshotEvery === 0) await log.insertSnapshot(tx, row.id, number, state);
  }
}

/**
 * Undoes or redoes operations of the caller's project: sets how many of them are applied.
 *
 * @throws `NOT_FOUND`, `VALIDATION_ERROR`
 * @throws `PROJECT_CHANGED` with the current version and position if the project has another version
 * @spec Edit operations
 */
export function setPosition(
  context: Context,
  viewer: Viewer,
  id: string,
  { position, version }: HandlerInput<typeof setProjectPosition>['body'],
): Promise<LogPosition> {
  return changeProject(context, viewer, id, async (tx, row) => {
    if (version !== row.version) {
      throw failure(
        'PROJECT_CHANGED',
        `the project has version ${row.version} and position ${row.position}, the request was for version ${version}. Nothing was changed: fetch it and try again`,
        { version: [String(row.version)], position: [String(row.position)] },
      );
    }
    if (position > row.operations)
      throw invalid({ position: [`must be 0 to ${row.operations} (got ${position})`] });
    if (position === row.position) return { version, position };
    const after = { version: version + 1, position };
    await store.updateProject(tx, id, { ...after, updated_at: context.clock.now() });
    const event = { project_id: id, ...after };
    await publish(tx, projectChannel, { track_id: row.track_id }, 'position_changed', event);
    return after;
  });
}
