import type { GridStepName } from '@stem-studio/contract/resources/beat-grid';
import type { GridRule } from '@stem-studio/dsp/rhythm/grid/grid-rule';
import type { Selectable } from 'kysely';
import type { BeatGridsTable } from '../../platform/db/beat-grid-tables.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { parseStoredRule, toStoredRule } from './stored-grid-rule.ts';

/** State of an edited beat grid. */
export type GridRow = Selectable<BeatGridsTable>;

/** Step of the edit history of a grid. */
export interface GridStep {
  readonly place: number;
  readonly name: GridStepName;
  /** Null where the detected beats are in use. */
  readonly grid: GridRule | null;
  readonly heard_job_id: string | null;
}

/** Fields of a track that its grid depends on. */
export interface GriddedTrack {
  readonly id: string;
  readonly user_id: number;
  readonly duration_ms: number;
  readonly bpm: number | null;
  readonly bpm_edited: boolean;
  readonly audio_source_id: string | null;
}

/** Locks a track against grid changes by other transactions; returns the track, or null where it is gone. */
export async function lockGrid(tx: Tx, trackId: string): Promise<GriddedTrack | null> {
  const row = await tx
    .selectFrom('tracks')
    .select(['id', 'user_id', 'duration_ms', 'bpm', 'bpm_edited', 'audio_source_id'])
    .where('id', '=', trackId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the state of an edited grid and its current step; null for a grid that was never edited. */
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

/** Returns a step of the edit history, or null. */
export async function findStep(db: Db, trackId: string, place: number): Promise<GridStep | null> {
  const row = await db
    .selectFrom('beat_grid_steps')
    .select(['place', 'name', 'grid', 'heard_job_id'])
    .where('track_id', '=', trackId)
    .where('place', '=', place)
    .executeTakeFirst();
  return row ? { ...row, grid: row.grid === null ? null : parseStoredRule(row.grid) } : null;
}

/** Inserts or updates the state of a grid. */
export async function writeGrid(tx: Tx, row: GridRow): Promise<void> {
  const { track_id: _trackId, ...change } = row;
  await tx
    .insertInto('beat_grids')
    .values(row)
    .onConflict((conflict) => conflict.column('track_id').doUpdateSet(change))
    .execute();
}

/** Inserts a step; deletes the steps that were undone and those before `oldestPlace`. */
export async function writeStep(tx: Tx, trackId: string, step: GridStep, oldestPlace: number): Promise<void> {
  await tx
    .deleteFrom('beat_grid_steps')
    .where('track_id', '=', trackId)
    .where((where) => where.or([where('place', '>=', step.place), where('place', '<', oldestPlace)]))
    .execute();
  const grid = step.grid && JSON.stringify(toStoredRule(step.grid));
  await tx
    .insertInto('beat_grid_steps')
    .values({ ...step, track_id: trackId, grid })
    .execute();
}
