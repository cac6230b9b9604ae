import type { Selectable } from 'kysely';
import type { BeatGridStepsTable } from '../../platform/db/beat-grid-tables.ts';
import type { CueRow } from '../../platform/db/cue-tables.ts';
import type { Db } from '../../platform/db/database.ts';
import type { JobRow } from '../../platform/db/platform-tables.ts';
import type { TranscriptionRow } from '../notes/index.ts';
import type { StemRow } from '../processing/index.ts';

/** All jobs of these tracks, the oldest first. */
export function listJobsOf(db: Db, trackIds: readonly string[]): Promise<JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('subject_kind', '=', 'track')
    .where('subject_id', 'in', trackIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Returns all jobs of a user that are about something else than a track, the oldest first. */
export function listOtherJobsOf(db: Db, userId: number): Promise<JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('subject_kind', 'is', null), eb('subject_kind', '<>', 'track')]))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** All stems of these tracks, previews too, the oldest first. */
export function listStemsOf(db: Db, trackIds: readonly string[]): Promise<StemRow[]> {
  return db.selectFrom('stems').selectAll().where('track_id', 'in', trackIds).orderBy('id').execute();
}

/** All cue points of these tracks that are not deleted, track by track from the beginning. */
export function listCuesOf(db: Db, trackIds: readonly string[]): Promise<CueRow[]> {
  return db
    .selectFrom('cue_points')
    .selectAll()
    .where('track_id', 'in', trackIds)
    .where('deleted_at', 'is', null)
    .orderBy('track_id')
    .orderBy('position_ms')
    .orderBy('id')
    .execute();
}

/** All steps of these tracks' beat grids, those that were undone too, track by track in order. */
export function listGridStepsOf(
  db: Db,
  trackIds: readonly string[],
): Promise<
  readonly (Pick<Selectable<BeatGridStepsTable>, 'track_id' | 'place' | 'name' | 'grid' | 'heard_job_id'> & {
    readonly is_in_force: boolean;
    readonly is_locked: boolean;
  })[]
> {
  return db
    .selectFrom('beat_grid_steps as step')
    .innerJoin('beat_grids as grid', 'grid.track_id', 'step.track_id')
    .select(['step.track_id', 'step.place', 'step.name', 'step.grid', 'step.heard_job_id', 'grid.is_locked'])
    .select((eb) => eb('grid.place', '=', eb.ref('step.place')).$castTo<boolean>().as('is_in_force'))
    .where('step.track_id', 'in', trackIds)
    .orderBy('step.track_id')
    .orderBy('step.place')
    .execute();
}

/** Which analyses there are of these tracks, without what they found. */
export function listAnalysesOf(
  db: Db,
  trackIds: readonly string[],
): Promise<{ readonly job_id: string; readonly track_id: string; readonly created_at: Date }[]> {
  return db
    .selectFrom('analyses')
    .select(['job_id', 'track_id', 'created_at'])
    .where('track_id', 'in', trackIds)
    .orderBy('created_at')
    .orderBy('job_id')
    .execute();
}

/** Which notes there are of these tracks, without the notes. */
export function listNotesOf(
  db: Db,
  trackIds: readonly string[],
): Promise<Pick<TranscriptionRow, 'id' | 'track_id' | 'source' | 'created_at'>[]> {
  return db
    .selectFrom('transcriptions')
    .select(['id', 'track_id', 'source', 'created_at'])
    .where('track_id', 'in', trackIds)
    .orderBy('track_id')
    .orderBy('source')
    .execute();
}
