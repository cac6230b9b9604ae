import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
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
