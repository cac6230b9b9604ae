import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { gridFields, RhythmFields } from '@stem-studio/contract/resources/beat-grid';
import { rhythmOf } from '@stem-studio/dsp/rhythm/grid/grid-beats';
import type { GridRule } from '@stem-studio/dsp/rhythm/grid/grid-rule';
import { toRhythmFields } from '@stem-studio/dsp/rhythm/rhythm-fields';
import type { Db } from '../../platform/db/database.ts';
import * as store from './analysis.store.ts';
import { findGrid, type GridRow, type GridStep } from './beat-grid.store.ts';
import { findMergedForm, findMergedResult, type TrackForm } from './merged-analysis.store.ts';
import { toContractRhythm } from './to-detected-analysis.ts';

/** Beats in use for a track, with their origin. */
export interface CurrentGrid {
  readonly fields: Required<Pick<AnalysisResult, keyof typeof gridFields>>;
  readonly row: GridRow | null;
  readonly step: GridStep | null;
  /** Beats of the owner or of the locked analysis; null if those of the newest analysis are in use. */
  readonly rhythm: RhythmFields | null;
}

/** Returns the rhythm of a grid rule in the fields of an analysis. */
export function ruleRhythm(
  rule: GridRule,
  detected: readonly number[],
  durationSeconds: number,
): RhythmFields {
  return toContractRhythm(toRhythmFields(rhythmOf(rule, detected, durationSeconds)));
}

/** Returns the current beats of a track. */
export async function findCurrentGrid(
  db: Db,
  track: { readonly id: string; readonly duration_ms: number },
): Promise<CurrentGrid> {
  const found = await findGrid(db, track.id);
  const row = found?.row ?? null;
  const step = found?.step ?? null;
  const fields = {
    grid_source: step?.grid ? 'manual' : 'detected',
    grid_locked: row?.is_locked ?? false,
    grid_version: row?.version ?? 0,
  } as const;
  const jobId = step?.grid ? step.detected_job_id : (row?.locked_job_id ?? null);
  const detected = jobId === null ? null : await store.findDetectedRhythm(db, { job_id: jobId });
  if (step?.grid) {
    const durationSeconds = track.duration_ms / 1000 || (detected?.duration_seconds ?? 0);
    return { fields, row, step, rhythm: ruleRhythm(step.grid, detected?.beats ?? [], durationSeconds) };
  }
  return { fields, row, step, rhythm: detected && withoutJob(detected) };
}

/** Returns the fields of a detected rhythm without the job that detected it. */
export function withoutJob({
  job_id: _jobId,
  duration_seconds: _seconds,
  ...rhythm
}: store.DetectedRhythm): RhythmFields {
  return rhythm;
}

/** Beats, form and harmony of a track: the input of the cue planner. */
export type TrackGrid = TrackForm & Partial<RhythmFields>;

/**
 * Returns the newest value of every analysed feature of a track with its current beats, or null for none.
 *
 * @spec Analysis jobs
 */
export async function findNewestAnalysis(
  db: Db,
  track: { readonly id: string; readonly duration_ms: number },
): Promise<AnalysisResult | null> {
  const result = await findMergedResult(db, track.id);
  if (!result) return null;
  const { fields, rhythm } = await findCurrentGrid(db, track);
  if (!rhythm && !result.beats) return result;
  return { ...result, ...rhythm, ...fields };
}

/** Returns the newest form and the current beats of a track whose rhythm was analysed; null for none. */
export async function findNewestGrid(
  db: Db,
  track: { readonly id: string; readonly duration_ms: number },
): Promise<TrackGrid | null> {
  const form = await findMergedForm(db, track.id);
  if (!form) return null;
  const { rhythm } = await findCurrentGrid(db, track);
  if (rhythm) return { ...form, ...rhythm };
  const detected = await store.findDetectedRhythm(db, { track_id: track.id });
  return { ...form, ...(detected && withoutJob(detected)) };
}
