import {
  type DetectedAnalysis,
  detectedFields,
  featureMatrices,
} from '@stem-studio/contract/resources/analysis';
import type { RhythmFields } from '@stem-studio/contract/resources/beat-grid';
import type { CueGround } from '@stem-studio/dsp/structure/cues/cue-plan';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { resultFields } from './analysis.store.ts';
import { storedAnalysis } from './stored-analysis.ts';

/**
 * Fields used to place cue points, besides the rhythm. A field that the cue planner does not read, or lacks, is a
 * type error.
 */
const formFields: Readonly<Record<Exclude<keyof CueGround, keyof RhythmFields>, true>> = {
  sections: true,
  chords: true,
  keys: true,
  energy_curve: true,
  vocal_curve: true,
  duration_seconds: true,
};

/** Form and harmony of a track. */
export type TrackForm = Pick<DetectedAnalysis, keyof typeof formFields>;

const matrixNames = Object.keys(featureMatrices.shape) as (keyof typeof featureMatrices.shape)[];
const fieldNames = Object.keys(detectedFields) as (keyof typeof detectedFields)[];
const formNames = Object.keys(formFields) as (keyof TrackForm)[];

/** Lists the analyses of the audio that was analysed last, newest first. */
async function listSameAudio(db: Db, trackId: string): Promise<string[]> {
  const { rows } = await sql<{ job_id: string }>`
    select job_id from analyses
    where track_id = ${trackId} and audio_source_id is not distinct from (
      select audio_source_id from analyses where track_id = ${trackId}
      order by created_at desc, job_id desc limit 1)
    order by created_at desc, job_id desc`.execute(db);
  return rows.map(({ job_id }) => job_id);
}

/** Adds the fields of an older result that the newer ones lack. */
function mergeOlder(newer: DetectedAnalysis, older: DetectedAnalysis): DetectedAnalysis {
  const features = { ...older.features, ...newer.features };
  return { ...older, ...newer, ...((newer.features ?? older.features) && { features }) };
}

/** Reads results from the newest on until one of them was complete, and returns the newest value of each field. */
async function mergeResults(
  db: Db,
  trackId: string,
  fields: readonly (keyof DetectedAnalysis)[] | 'all',
): Promise<DetectedAnalysis | null> {
  let merged: DetectedAnalysis | null = null;
  for (const jobId of await listSameAudio(db, trackId)) {
    const row = await db
      .selectFrom('analyses')
      .select(
        (fields === 'all' ? sql`result` : resultFields(fields))
          .$castTo<Record<string, unknown>>()
          .as('result'),
      )
      .where('job_id', '=', jobId)
      .executeTakeFirst();
    const result = row ? storedAnalysis.read(db, row.result, jobId) : null;
    if (!result) continue;
    merged = merged ? mergeOlder(merged, result) : result;
    const { features } = merged;
    const isComplete =
      fields === 'all'
        ? fieldNames.every((name) => merged?.[name] !== undefined) &&
          matrixNames.every((name) => features?.[name] !== undefined)
        : fields.every((name) => merged?.[name] !== undefined);
    if (isComplete) break;
  }
  return merged;
}

/**
 * Returns the newest value of every feature of a track as it was detected, or null without an analysis. An analysis of
 * some features replaces only these; results of audio that the track no longer has are left out.
 */
export function findMergedResult(db: Db, trackId: string): Promise<DetectedAnalysis | null> {
  return mergeResults(db, trackId, 'all');
}

/** Integrated loudness and true peak of a track; null where they were not measured. */
export interface TrackLoudness {
  readonly loudness_lufs: number | null;
  readonly true_peak_db: number | null;
}

/** Returns the newest measured loudness of a track. */
export async function findLoudness(db: Db, trackId: string): Promise<TrackLoudness> {
  const merged = await mergeResults(db, trackId, ['loudness_lufs', 'true_peak_db']);
  return { loudness_lufs: merged?.loudness_lufs ?? null, true_peak_db: merged?.true_peak_db ?? null };
}

/** Returns the newest form and harmony of a track whose rhythm was analysed; null for none. */
export async function findMergedForm(db: Db, trackId: string): Promise<TrackForm | null> {
  const form = await mergeResults(db, trackId, formNames);
  const rhythm = await db
    .selectFrom('analyses')
    .select('job_id')
    .where('track_id', '=', trackId)
    .where(sql<boolean>`result ? 'beats'`)
    .limit(1)
    .executeTakeFirst();
  return rhythm ? form : null;
}
