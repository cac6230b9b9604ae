import type { DetectedAnalysis } from '@stem-studio/contract/resources/analysis';
import { type RhythmFields, rhythmFields } from '@stem-studio/contract/resources/beat-grid';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { rhythmIn, storedAnalysis } from './stored-analysis.ts';

/** Stores the result of a job. */
export async function insertAnalysis(
  db: Db,
  row: {
    readonly job_id: string;
    readonly track_id: string;
    readonly result: DetectedAnalysis;
    readonly audio_source_id: string | null;
    readonly created_at: Date;
  },
): Promise<void> {
  await db
    .insertInto('analyses')
    .values({ ...row, result: storedAnalysis.toText(row.result) })
    .execute();
}

/** Returns the result of a job, or null. */
export async function findAnalysisOfJob(db: Db, jobId: string): Promise<DetectedAnalysis | null> {
  const row = await db.selectFrom('analyses').select('result').where('job_id', '=', jobId).executeTakeFirst();
  return row ? storedAnalysis.read(db, row.result, jobId) : null;
}

/** Detected rhythm with the job that detected it. */
export interface DetectedRhythm extends RhythmFields {
  readonly job_id: string;
  readonly duration_seconds?: number | undefined;
}

/** Returns an expression that selects some fields of a result without its large matrices. */
export function resultFields(names: readonly string[]): RawBuilder<unknown> {
  const pairs = [...names, 'schema_version'].flatMap((name) => [
    sql.lit(name),
    sql`result -> ${sql.lit(name)}`,
  ]);
  return sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(pairs)}))`;
}

/** Tells whether the result of a job has a rhythm, even an empty one. */
export async function hasGrid(db: Db, jobId: string): Promise<boolean> {
  const row = await db
    .selectFrom('analyses')
    .select('job_id')
    .where('job_id', '=', jobId)
    .where(sql<boolean>`result ? 'beats'`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the rhythm detected by a job, or by a track's newest analysis with a rhythm; null for none. */
export async function findDetectedRhythm(
  db: Db,
  of: { readonly job_id: string } | { readonly track_id: string },
): Promise<DetectedRhythm | null> {
  const row = await db
    .selectFrom('analyses')
    .select(['job_id', resultFields([...Object.keys(rhythmFields), 'duration_seconds']).as('rhythm')])
    .where((where) =>
      'job_id' in of ? where('job_id', '=', of.job_id) : where('track_id', '=', of.track_id),
    )
    .where(sql<boolean>`result ? 'beats'`)
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const stored = row ? storedAnalysis.read(db, row.rhythm, row.job_id) : null;
  if (!row || !stored) return null;
  return { job_id: row.job_id, ...rhythmIn(stored), duration_seconds: stored.duration_seconds };
}

/** Lists the analyses of these tracks without their results. */
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
