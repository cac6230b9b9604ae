import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import { gridBeatsOf } from '@stem-studio/dsp/rhythm/grid/grid-beats';
import type { HandGrid } from '@stem-studio/dsp/rhythm/grid/grid-rule';
import type { Db } from '../../platform/db/database.ts';
import * as store from './analysis.store.ts';
import { findGrid, type GridRow, type GridStep } from './beat-grid.store.ts';

const BEAT_RATE_HZ = 22_050 / 512;

/** Whose beats hold for a track. */
export interface GridInForce {
  readonly fields: Required<Pick<AnalysisResult, 'grid_source' | 'grid_locked' | 'grid_version'>>;
  readonly row: GridRow | null;
  readonly step: GridStep | null;
  /** The beats that hold; null where it is what the newest analysis heard. */
  readonly rhythm: Required<store.Rhythm> | null;
}

/** The beats of a grid set by hand in the words of an analysis. Who sets it is sure of the tempo. */
export function rhythmOf(
  grid: HandGrid,
  heard: readonly number[],
  durationSeconds: number,
): Required<store.Rhythm> {
  const { beats, downbeats, bpm, isStable, curve } = gridBeatsOf(grid, heard, durationSeconds);
  return {
    tempo: bpm,
    tempo_confidence: 1,
    tempo_stable: isStable,
    tempo_curve: curve.map(({ time, bpm: at }) => ({ time: Math.round(time * 1000) / 1000, bpm: at })),
    time_signature: grid.timeSignature,
    beat_frames: beats.map((beat) => Math.round(beat * BEAT_RATE_HZ)),
    beats: [...beats],
    downbeats: [...downbeats],
  };
}

/** What a finding heard, with nothing where it heard nothing. */
export function heardRhythm(heard: store.Rhythm): Required<store.Rhythm> {
  return {
    tempo: heard.tempo ?? 0,
    tempo_confidence: heard.tempo_confidence ?? 0,
    tempo_stable: heard.tempo_stable ?? false,
    tempo_curve: heard.tempo_curve ?? [],
    time_signature: heard.time_signature ?? '',
    beat_frames: heard.beat_frames ?? [],
    beats: heard.beats ?? [],
    downbeats: heard.downbeats ?? [],
  };
}

/** Whose beats hold for a track of so many milliseconds. */
export async function findGridInForce(
  db: Db,
  track: { readonly id: string; readonly duration_ms: number },
): Promise<GridInForce> {
  const found = await findGrid(db, track.id);
  const row = found?.row ?? null;
  const step = found?.step ?? null;
  const fields = {
    grid_source: step?.grid ? 'manual' : 'detected',
    grid_locked: row?.is_locked ?? false,
    grid_version: row?.version ?? 0,
  } as const;
  const jobId = step?.grid ? step.heard_job_id : (row?.locked_job_id ?? null);
  const heard = jobId === null ? null : await store.findHeard(db, { job_id: jobId });
  if (step?.grid) {
    const durationSeconds = track.duration_ms / 1000 || (heard?.duration_seconds ?? 0);
    return { fields, row, step, rhythm: rhythmOf(step.grid, heard?.beats ?? [], durationSeconds) };
  }
  return { fields, row, step, rhythm: heard && heardRhythm(heard) };
}

/** Beats, form and harmony of a track: what cue points stand on. */
export type TrackGrid = store.TrackForm & Partial<Required<store.Rhythm>>;

/** The newest finding about a track with the beats that hold, or null where there is none. */
export async function findNewestAnalysis(
  db: Db,
  track: { readonly id: string; readonly duration_ms: number },
): Promise<AnalysisResult | null> {
  const result = await store.findNewestFinding(db, track.id);
  if (!result) return null;
  const { fields, rhythm } = await findGridInForce(db, track);
  if (!rhythm && !result.beats) return result;
  return { ...result, ...rhythm, ...fields };
}

/** Beats and form of a track from the newest finding that tells of beats, with the beats that hold; null for none. */
export async function findNewestGrid(
  db: Db,
  track: { readonly id: string; readonly duration_ms: number },
): Promise<TrackGrid | null> {
  const form = await store.findNewestForm(db, track.id);
  if (!form) return null;
  const { rhythm } = await findGridInForce(db, track);
  const heard = rhythm ?? (await store.findHeard(db, { track_id: track.id }));
  return { ...form, ...(heard && heardRhythm(heard)) };
}
