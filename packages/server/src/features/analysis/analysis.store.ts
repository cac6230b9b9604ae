import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { rhythmFields } from '@stem-studio/contract/resources/beat-grid';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { storedAnalysis, storedForm, storedRhythm } from './stored-analysis.ts';

/** Stores what a job found. */
export async function insertAnalysis(
  db: Db,
  row: {
    readonly job_id: string;
    readonly track_id: string;
    readonly result: AnalysisResult;
    readonly created_at: Date;
  },
): Promise<void> {
  await db
    .insertInto('analyses')
    .values({ ...row, result: storedAnalysis.toText(row.result) })
    .execute();
}

/** What a job found, or null. */
export async function findAnalysisOfJob(db: Db, jobId: string): Promise<AnalysisResult | null> {
  const row = await db.selectFrom('analyses').select('result').where('job_id', '=', jobId).executeTakeFirst();
  return row ? storedAnalysis.read(db, row.result, jobId) : null;
}

/** The newest finding about a track as it was found, or null. */
export async function findNewestFinding(db: Db, trackId: string): Promise<AnalysisResult | null> {
  const row = await db
    .selectFrom('analyses')
    .select(['job_id', 'result'])
    .where('track_id', '=', trackId)
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? storedAnalysis.read(db, row.result, row.job_id) : null;
}

/** What a finding says about beats. */
export type Rhythm = Pick<AnalysisResult, keyof typeof rhythmFields>;

/** A finding's beats, and which finding it is. */
export interface HeardRhythm extends Rhythm {
  readonly job_id: string;
  readonly duration_seconds?: number;
}

/** Form and harmony of a track, as a finding holds them. */
export type TrackForm = Pick<
  AnalysisResult,
  'sections' | 'chords' | 'keys' | 'energy_curve' | 'vocal_curve' | 'duration_seconds'
>;

/** Whether a job heard where the beats are, if only that there are none. */
export async function hasGrid(db: Db, jobId: string): Promise<boolean> {
  const row = await db
    .selectFrom('analyses')
    .select('job_id')
    .where('job_id', '=', jobId)
    .where(sql<boolean>`result ? 'beats'`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Form and harmony from the newest finding that tells of beats, without its large rest; null for none. */
export async function findNewestForm(db: Db, trackId: string): Promise<TrackForm | null> {
  const row = await db
    .selectFrom('analyses')
    .select('job_id')
    .select(
      sql`jsonb_strip_nulls(jsonb_build_object(
        'sections', result -> 'sections', 'chords', result -> 'chords', 'keys', result -> 'keys',
        'energy_curve', result -> 'energy_curve', 'vocal_curve', result -> 'vocal_curve',
        'duration_seconds', result -> 'duration_seconds', 'schema_version', result -> 'schema_version'
      ))`.as('form'),
    )
    .where('track_id', '=', trackId)
    .where(sql<boolean>`result ? 'beats'`)
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? storedForm.read(db, row.form, row.job_id) : null;
}

/**
 * The beats of a finding by its job, or of the newest finding about a track that tells of beats; null where there is
 * none.
 */
export async function findHeard(
  db: Db,
  of: { readonly job_id: string } | { readonly track_id: string },
): Promise<HeardRhythm | null> {
  const row = await db
    .selectFrom('analyses')
    .select([
      'job_id',
      sql`jsonb_strip_nulls(jsonb_build_object(
        'tempo', result -> 'tempo', 'tempo_confidence', result -> 'tempo_confidence',
        'tempo_stable', result -> 'tempo_stable', 'tempo_curve', result -> 'tempo_curve',
        'time_signature', result -> 'time_signature', 'beat_frames', result -> 'beat_frames',
        'beats', result -> 'beats', 'downbeats', result -> 'downbeats',
        'duration_seconds', result -> 'duration_seconds', 'schema_version', result -> 'schema_version'
      ))`.as('rhythm'),
    ])
    .where((where) =>
      'job_id' in of ? where('job_id', '=', of.job_id) : where('track_id', '=', of.track_id),
    )
    .where(sql<boolean>`result ? 'beats'`)
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const rhythm = row ? storedRhythm.read(db, row.rhythm, row.job_id) : null;
  return row && rhythm ? { job_id: row.job_id, ...rhythm } : null;
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
