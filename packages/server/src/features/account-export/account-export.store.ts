import type { Db } from '../../platform/db/database.ts';
import type { CueRow, JobRow } from '../../platform/db/tables.ts';
import type { StemRow } from '../processing/index.ts';

/** All jobs of these tracks, the oldest first. */
export function listJobsOf(db: Db, trackIds: readonly string[]): Promise<JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('track_id', 'in', trackIds)
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
