import type { Edit, IdentifiedEdit } from '@stem-studio/contract/resources/edit-operation';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { storedEdit, storedProjectState } from './stored-project.ts';

/** Operation in a log. */
export interface LoggedEdit {
  readonly id: string;
  readonly number: number;
  readonly applied_at: Date;
  readonly edit: Edit;
}

/** Time for which the ids of dropped operations are kept, in ms: a window that was offline may send them again. */
const droppedMs = 86_400_000;

/** Operations of a log: those after a number, up to a number, or with some ids; all of them by default. */
interface LogPart {
  readonly after?: number;
  readonly until?: number;
  readonly ids?: readonly string[];
}

/** Returns a part of a log in its order. An operation that cannot be read is omitted. */
export async function listEdits(
  db: Db,
  projectId: string,
  { after = 0, until, ids }: LogPart = {},
): Promise<LoggedEdit[]> {
  const rows = await db
    .selectFrom('edit_operations')
    .select(['id', 'number', 'edit', 'applied_at'])
    .where('project_id', '=', projectId)
    .where('number', '>', after)
    .$if(until !== undefined, (query) => query.where('number', '<=', until as number))
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids as readonly string[]))
    .orderBy('number')
    .execute();
  return rows.flatMap(({ number, edit, ...row }) => {
    const read = storedEdit.read(db, edit, row.id);
    return read && number !== null ? [{ ...row, number, edit: read }] : [];
  });
}

/** Returns which of these ids the log has or had, those of dropped operations included. */
export async function listKnownEdits(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('edit_operations')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Appends operations to a log, numbered from `first`. */
export async function insertEdits(
  tx: Tx,
  projectId: string,
  edits: readonly IdentifiedEdit[],
  first: number,
  now: Date,
): Promise<LoggedEdit[]> {
  const rows = edits.map(({ id, ...edit }, index) => ({ id, number: first + index, applied_at: now, edit }));
  await insertLog(tx, projectId, rows);
  return rows;
}

/** Rows per statement, below PostgreSQL's limit of parameters. */
const rowsAtOnce = 1000;

/** Inserts operations with their numbers. */
export async function insertLog(tx: Tx, projectId: string, entries: readonly LoggedEdit[]): Promise<void> {
  for (let at = 0; at < entries.length; at += rowsAtOnce)
    await tx
      .insertInto('edit_operations')
      .values(
        entries.slice(at, at + rowsAtOnce).map(({ id, number, applied_at, edit }) => ({
          id,
          number,
          applied_at,
          project_id: projectId,
          edit: storedEdit.toText(edit),
          dropped_at: null,
        })),
      )
      .execute();
}

/** Drops the operations of a log after a number, and the snapshots after it. Their ids stay for a day. */
export async function dropEdits(tx: Tx, projectId: string, after: number, now: Date): Promise<void> {
  await tx
    .deleteFrom('edit_operations')
    .where('project_id', '=', projectId)
    .where('dropped_at', '<', new Date(now.getTime() - droppedMs))
    .execute();
  await tx
    .updateTable('edit_operations')
    .set({ number: null, dropped_at: now })
    .where('project_id', '=', projectId)
    .where('number', '>', after)
    .execute();
  await tx
    .deleteFrom('project_snapshots')
    .where('project_id', '=', projectId)
    .where('number', '>', after)
    .execute();
}

/** Stores the state of a project after a number of operations. */
export async function insertSnapshot(
  tx: Tx,
  projectId: string,
  number: number,
  state: ProjectState,
): Promise<void> {
  await tx
    .insertInto('project_snapshots')
    .values({ project_id: projectId, number, state: storedProjectState.toText(state) })
    .execute();
}

/** Returns the last readable snapshot of at most this many operations; null if there is none. */
export async function findSnapshot(
  db: Db,
  projectId: string,
  position: number,
): Promise<{ readonly number: number; readonly state: ProjectState } | null> {
  let before = position + 1;
  for (;;) {
    const row = await db
      .selectFrom('project_snapshots')
      .select(['number', 'state'])
      .where('project_id', '=', projectId)
      .where('number', '<', before)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row) return null;
    const state = storedProjectState.read(db, row.state, `${projectId} ${row.number}`);
    if (state) return { number: row.number, state };
    before = row.number;
  }
}

/** Copies the log and the snapshots of a project to another one. */
export async function copyLog(tx: Tx, fromId: string, toId: string): Promise<void> {
  await sql`
    insert into edit_operations (project_id, id, number, edit, applied_at)
    select ${toId}::uuid, id, number, edit, applied_at from edit_operations
    where project_id = ${fromId}::uuid and number is not null`.execute(tx);
  await sql`
    insert into project_snapshots (project_id, number, state)
    select ${toId}::uuid, number, state from project_snapshots where project_id = ${fromId}::uuid`.execute(
    tx,
  );
}
