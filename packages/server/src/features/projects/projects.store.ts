import { type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { withOwner } from '../../platform/owned.ts';
import { liveOwnerOf } from '../tracks/index.ts';
import type { ProjectsTable } from './projects.tables.ts';

/** Row of a project. */
export type ProjectRow = Selectable<ProjectsTable>;
/** Row of a project with the owner of its track. */
export type OwnedProjectRow = ProjectRow & { readonly user_id: number };

const owner = liveOwnerOf(sql.ref('projects.track_id')).as('user_id');

/** Lists the projects of a track, the last changed first. */
export function listProjects(db: Db, trackId: string): Promise<ProjectRow[]> {
  return db
    .selectFrom('projects')
    .selectAll()
    .where('track_id', '=', trackId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Returns a project of a live track of any user, or null. */
export async function findProject(db: Db, id: string): Promise<OwnedProjectRow | null> {
  const row = await db
    .selectFrom('projects')
    .selectAll()
    .select(owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return withOwner(row);
}

/** Returns a project of a live track of any user, locked until the transaction ends, or null. */
export async function lockProject(tx: Tx, id: string): Promise<OwnedProjectRow | null> {
  const row = await tx
    .selectFrom('projects')
    .selectAll()
    .select(owner)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return withOwner(row);
}

/** Returns and locks the projects of a track, in a consistent order. */
export function lockProjectsOf(tx: Tx, trackId: string): Promise<ProjectRow[]> {
  return tx
    .selectFrom('projects')
    .selectAll()
    .where('track_id', '=', trackId)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Serialises the creation of projects of a track until the transaction ends. */
export async function lockProjectList(tx: Tx, trackId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`projects ${trackId}`}, 0))`.execute(tx);
}

/** Makes a transaction fail that waits longer than 5 s for a lock of another process, because it holds a connection. */
export async function limitLockWait(tx: Tx): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(tx);
}

/** Inserts a project. */
export async function insertProject(tx: Tx, row: ProjectRow): Promise<void> {
  await tx.insertInto('projects').values(row).execute();
}

/** Changes a project. */
export async function updateProject(tx: Tx, id: string, change: Updateable<ProjectsTable>): Promise<void> {
  await tx.updateTable('projects').set(change).where('id', '=', id).execute();
}

/** Deletes a project with its log and its snapshots. */
export async function deleteProject(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('projects').where('id', '=', id).execute();
}

/** Returns the projects of these tracks, by track and age. */
export function listProjectsOfTracks(db: Db, trackIds: readonly string[]): Promise<ProjectRow[]> {
  return db
    .selectFrom('projects')
    .selectAll()
    .where('track_id', 'in', trackIds)
    .orderBy('track_id')
    .orderBy('id')
    .execute();
}
