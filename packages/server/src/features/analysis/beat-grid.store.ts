import type { GridStepName } from '@stem-studio/contract/resources/beat-grid';
import type { GridRule } from '@stem-studio/dsp/rhythm/grid/grid-rule';
import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { BeatGridStepsTable, BeatGridsTable } from './analysis.tables.ts';
import { readGridRule, storedGridRule, toStoredRule } from './stored-grid-rule.ts';

/** State of an edited beat grid. */
export type GridRow = Selectable<BeatGridsTable>;

/** Step of the edit history of a grid. */
export interface GridStep {
  readonly step_index: number;
  readonly name: GridStepName;
  /** Rule after the step; null if the detected beats are in use. */
  readonly grid: GridRule | null;
  readonly detected_job_id: string | null;
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
  return { row, step: row.step_index === 0 ? null : await findStep(db, trackId, row.step_index) };
}

/** Returns a step of the edit history, or null. */
export async function findStep(db: Db, trackId: string, stepIndex: number): Promise<GridStep | null> {
  const row = await db
    .selectFrom('beat_grid_steps')
    .select(['step_index', 'name', 'grid', 'detected_job_id'])
    .where('track_id', '=', trackId)
    .where('step_index', '=', stepIndex)
    .executeTakeFirst();
  // An unreadable grid is replaced by the detected beats.
  return row
    ? { ...row, grid: row.grid && readGridRule(db, row.grid, `${trackId} step ${stepIndex}`) }
    : null;
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

/** Inserts a step; deletes the steps that were undone and those before `oldestIndex`. */
export async function writeStep(tx: Tx, trackId: string, step: GridStep, oldestIndex: number): Promise<void> {
  await tx
    .deleteFrom('beat_grid_steps')
    .where('track_id', '=', trackId)
    .where((where) =>
      where.or([where('step_index', '>=', step.step_index), where('step_index', '<', oldestIndex)]),
    )
    .execute();
  const grid = step.grid && storedGridRule.toText(toStoredRule(step.grid));
  await tx
    .insertInto('beat_grid_steps')
    .values({ ...step, track_id: trackId, grid })
    .execute();
}

/** Returns all steps of these tracks' beat grids, including undone ones, grouped by track and in order. */
export function listGridStepsOf(
  db: Db,
  trackIds: readonly string[],
): Promise<
  readonly (Pick<
    Selectable<BeatGridStepsTable>,
    'track_id' | 'step_index' | 'name' | 'grid' | 'detected_job_id'
  > & {
    readonly is_in_force: boolean;
    readonly is_locked: boolean;
  })[]
> {
  return db
    .selectFrom('beat_grid_steps as step')
    .innerJoin('beat_grids as grid', 'grid.track_id', 'step.track_id')
    .select([
      'step.track_id',
      'step.step_index',
      'step.name',
      'step.grid',
      'step.detected_job_id',
      'grid.is_locked',
    ])
    .select((eb) =>
      eb('grid.step_index', '=', eb.ref('step.step_index')).$castTo<boolean>().as('is_in_force'),
    )
    .where('step.track_id', 'in', trackIds)
    .orderBy('step.track_id')
    .orderBy('step.step_index')
    .execute();
}
