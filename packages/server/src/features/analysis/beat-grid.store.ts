import type { GridStepName } from '@stem-studio/contract/resources/beat-grid';
import type { HandGrid } from '@stem-studio/dsp/rhythm/grid/grid-rule';
import type { Selectable } from 'kysely';
import type { BeatGridsTable } from '../../platform/db/beat-grid-tables.ts';
import type { Db, Tx } from '../../platform/db/database.ts';

/** What a track's owner did to its beats. */
export type GridRow = Selectable<BeatGridsTable>;

/** A step of a grid's history. */
export interface GridStep {
  readonly place: number;
  readonly name: GridStepName;
  /** Null where it is what was heard. */
  readonly grid: HandGrid | null;
  readonly heard_job_id: string | null;
}

/** A track as far as its grid needs it. */
export interface GriddedTrack {
  readonly id: string;
  readonly user_id: number;
  readonly duration_ms: number;
  readonly bpm: number | null;
  readonly bpm_edited: boolean;
  readonly audio_source_id: string | null;
}

/** Lets one transaction at a time change the beats of a track, until it ends; the track, or null where it is gone. */
export async function lockGrid(tx: Tx, trackId: string): Promise<GriddedTrack | null> {
  const row = await tx
    .selectFrom('tracks')
    .select(['id', 'user_id', 'duration_ms', 'bpm', 'bpm_edited', 'audio_source_id'])
    .where('id', '=', trackId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** What was done to the beats of a track and the step that holds; null where nothing ever was. */
export async function findGrid(
  db: Db,
  trackId: string,
): Promise<{ readonly row: GridRow; readonly step: GridStep | null } | null> {
  const row = await db
    .selectFrom('beat_grids')
    .selectAll()
    .where('track_id', '=', trackId)
    .executeTakeFirst();
  if (!row) return null;
  return { row, step: row.place === 0 ? null : await findStep(db, trackId, row.place) };
}

/** A step of a grid's history, or null. */
export async function findStep(db: Db, trackId: string, place: number): Promise<GridStep | null> {
  const row = await db
    .selectFrom('beat_grid_steps')
    .select(['place', 'name', 'grid', 'heard_job_id'])
    .where('track_id', '=', trackId)
    .where('place', '=', place)
    .executeTakeFirst();
  return row ?? null;
}

/** Writes what is known of a grid besides its steps. */
export async function writeGrid(tx: Tx, row: GridRow): Promise<void> {
  const { track_id: _trackId, ...change } = row;
  await tx
    .insertInto('beat_grids')
    .values(row)
    .onConflict((conflict) => conflict.column('track_id').doUpdateSet(change))
    .execute();
}

/** Puts a step into a grid's history: those that were undone go, and those before `oldestPlace`. */
export async function writeStep(tx: Tx, trackId: string, step: GridStep, oldestPlace: number): Promise<void> {
  await tx
    .deleteFrom('beat_grid_steps')
    .where('track_id', '=', trackId)
    .where((where) => where.or([where('place', '>=', step.place), where('place', '<', oldestPlace)]))
    .execute();
  const grid = step.grid && JSON.stringify(step.grid);
  await tx
    .insertInto('beat_grid_steps')
    .values({ ...step, track_id: trackId, grid })
    .execute();
}
