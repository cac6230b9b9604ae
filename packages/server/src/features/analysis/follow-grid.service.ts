import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import { withTrackTempo } from '@stem-studio/dsp/rhythm/grid/grid-edits';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { PipelineEvents } from '../../platform/events.ts';
import { recordTempo } from '../tracks/index.ts';
import { refuseLocked } from './beat-grid.service.ts';
import { ruleRhythm } from './current-grid.ts';
import { addStep, announceGrid, editableGrid, type OpenGrid, openGrid } from './grid-history.ts';

/** Difference below which two tempi are equal, in beats per minute. */
const SAME_BPM = 0.005;

/**
 * Applies a tempo that the owner set on the track to its beat grid. Returns to the detected beats if the owner
 * cleared it. Throws `GRID_LOCKED`; the transaction then reverts the tempo too.
 */
export async function followTempoEdit(
  context: Context,
  tx: Tx,
  { track_id, bpm }: PipelineEvents['track.tempo_set'],
): Promise<void> {
  const open = await openGrid(tx, track_id);
  if (!open?.newest) return;
  const { step, rhythm } = open.current;
  const tempo = rhythm?.tempo ?? open.newest.tempo ?? 0;
  if (bpm === null) {
    if (step?.grid) {
      refuseLocked(open);
      await addStep(context, tx, open, { name: 'track_tempo', grid: null, detected_job_id: null });
    }
    await recordTempo(context, tx, track_id, {
      bpm: (step?.grid ? open.newest.tempo : tempo) || null,
      isSetByUser: false,
    });
  } else if (Math.abs(bpm - tempo) > SAME_BPM) {
    refuseLocked(open);
    await addTempoStep(context, tx, open, bpm);
  }
}

/** Adds a grid step for a tempo set on the track. */
async function addTempoStep(context: Context, tx: Tx, open: OpenGrid, bpm: number): Promise<void> {
  const { grid: before, detected, detectedJobId, durationSeconds } = await editableGrid(tx, open);
  const grid = before
    ? withTrackTempo(before, detected, ruleRhythm(before, detected, durationSeconds).tempo, bpm)
    : ({ kind: 'even', bpm, downbeatSeconds: 0, timeSignature: '4/4' } as const);
  const detected_job_id = grid.kind === 'following' ? detectedJobId : null;
  await addStep(context, tx, open, { name: 'track_tempo', grid, detected_job_id });
  // A grid that drifts has no single tempo: the owner's value is shown.
  await recordTempo(context, tx, open.track.id, { bpm, isSetByUser: true });
}

/** Tells whether a new analysis keeps the current beats of a track. */
export function keepsGrid({ current }: Pick<OpenGrid, 'current'>): boolean {
  return current.fields.grid_source === 'manual' || current.fields.grid_locked;
}

/**
 * Prepares the beat grid for an analysis that is about to be stored. Returns whether the track takes its tempo. A
 * grid set by the owner is kept, unless the track now has other audio and the grid is unlocked: undo restores it
 * then.
 */
export async function beforeAnalysis(context: Context, tx: Tx, trackId: string): Promise<boolean> {
  const open = await openGrid(tx, trackId);
  if (!open) return false;
  if (!keepsGrid(open)) return true;
  const { row, fields } = open.current;
  if (fields.grid_locked || row?.audio_source_id === open.track.audio_source_id) return false;
  await addStep(context, tx, open, { name: 'other_sound', grid: null, detected_job_id: null });
  return true;
}

/**
 * Creates a grid if the owner set another tempo before the first analysis. Otherwise notifies the pages of the
 * detected beats.
 */
export async function afterAnalysis(
  context: Context,
  tx: Tx,
  trackId: string,
  result: AnalysisResult,
): Promise<void> {
  if (!result.beats) return;
  const open = await openGrid(tx, trackId);
  if (!open) return;
  const { bpm, bpm_edited } = open.track;
  const isSetByUser = bpm_edited && bpm !== null && Math.abs(bpm - (result.tempo ?? 0)) > SAME_BPM;
  if (isSetByUser && !keepsGrid(open) && result.beats.length > 0) await addTempoStep(context, tx, open, bpm);
  else await announceGrid(tx, open.track);
}
