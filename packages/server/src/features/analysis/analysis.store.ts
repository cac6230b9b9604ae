import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

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
    .values({ ...row, result: JSON.stringify(row.result) })
    .execute();
}

/** What a job found, or null. */
export async function findAnalysisOfJob(db: Db, jobId: string): Promise<AnalysisResult | null> {
  const row = await db.selectFrom('analyses').select('result').where('job_id', '=', jobId).executeTakeFirst();
  return (row?.result as AnalysisResult | undefined) ?? null;
}

/** The newest finding about a track, or null. */
export async function findNewestAnalysis(db: Db, trackId: string): Promise<AnalysisResult | null> {
  const row = await db
    .selectFrom('analyses')
    .select('result')
    .where('track_id', '=', trackId)
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.result as AnalysisResult | undefined) ?? null;
}

/** Beats and form of a track, as a finding holds them. */
export type TrackGrid = Pick<
  AnalysisResult,
  | 'beats'
  | 'downbeats'
  | 'tempo_confidence'
  | 'time_signature'
  | 'sections'
  | 'chords'
  | 'keys'
  | 'energy_curve'
  | 'duration_seconds'
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

/** Beats and form of a track from the newest finding that tells of beats, without its large rest; null for none. */
export async function findNewestGrid(db: Db, trackId: string): Promise<TrackGrid | null> {
  const row = await db
    .selectFrom('analyses')
    .select(
      sql<TrackGrid>`jsonb_strip_nulls(jsonb_build_object(
        'beats', result -> 'beats', 'downbeats', result -> 'downbeats',
        'tempo_confidence', result -> 'tempo_confidence', 'time_signature', result -> 'time_signature',
        'sections', result -> 'sections', 'chords', result -> 'chords', 'keys', result -> 'keys',
        'energy_curve', result -> 'energy_curve', 'duration_seconds', result -> 'duration_seconds'
      ))`.as('grid'),
    )
    .where('track_id', '=', trackId)
    .where(sql<boolean>`result ? 'beats'`)
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.grid ?? null;
}
