import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import { withSaidTempo } from '@stem-studio/dsp/rhythm/grid/grid-edits';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { PipelineEvents } from '../../platform/events.ts';
import { recordTempo } from '../tracks/index.ts';
import { refuseLocked } from './beat-grid.service.ts';
import { announceGrid, type OpenGrid, openGrid, presentGrid, takeStep } from './grid-history.ts';
import { rhythmOf } from './current-grid.ts';

/** Tempi nearer than this are the same. */
const SAME_BPM = 0.005;

/**
 * Lets the beats follow a tempo that the owner said on the track, and goes back to those that were heard where it was
 * taken away. Throws `GRID_LOCKED`, which takes the tempo back too.
 */
export async function followSaidTempo(
  context: Context,
  tx: Tx,
  { track_id, bpm }: PipelineEvents['track.tempo_said'],
): Promise<void> {
  const open = await openGrid(tx, track_id);
  if (!open?.newest) return;
  const { step, rhythm } = open.inForce;
  const tempo = rhythm?.tempo ?? open.newest.tempo ?? 0;
  if (bpm === null) {
    if (step?.grid) {
      refuseLocked(open);
      await takeStep(context, tx, open, { name: 'track_tempo', grid: null, heard_job_id: null });
    }
    await recordTempo(context, tx, track_id, {
      bpm: (step?.grid ? open.newest.tempo : tempo) || null,
      isSaid: false,
    });
  } else if (Math.abs(bpm - tempo) > SAME_BPM) {
    refuseLocked(open);
    await takeSaidTempo(context, tx, open, bpm);
  }
}

/** Makes a grid of a tempo that was said. */
async function takeSaidTempo(context: Context, tx: Tx, open: OpenGrid, bpm: number): Promise<void> {
  const { grid: before, heard, heardJobId, durationSeconds } = await presentGrid(tx, open);
  const grid = before
    ? withSaidTempo(before, heard, rhythmOf(before, heard, durationSeconds).tempo, bpm)
    : ({ kind: 'even', bpm, oneSeconds: 0, timeSignature: '4/4' } as const);
  const heard_job_id = grid.kind === 'following' ? heardJobId : null;
  await takeStep(context, tx, open, { name: 'track_tempo', grid, heard_job_id });
  // In a drifting grid the tempo is what its owner calls it.
  await recordTempo(context, tx, open.track.id, { bpm, isSaid: true });
}

/** Whether another analysis leaves the beats of a track as they are. */
export function keepsGrid({ inForce }: Pick<OpenGrid, 'inForce'>): boolean {
  return inForce.fields.grid_source === 'manual' || inForce.fields.grid_locked;
}

/**
 * Lets the beats follow an analysis that is about to be stored: answers whether its tempo is the track's. What an owner
 * set stays, unless the track has another sound now and is not locked: then it can be had again by undo.
 */
export async function beforeAnalysis(context: Context, tx: Tx, trackId: string): Promise<boolean> {
  const open = await openGrid(tx, trackId);
  if (!open) return false;
  if (!keepsGrid(open)) return true;
  const { row, fields } = open.inForce;
  if (fields.grid_locked || row?.audio_source_id === open.track.audio_source_id) return false;
  await takeStep(context, tx, open, { name: 'other_sound', grid: null, heard_job_id: null });
  return true;
}

/** Makes a grid of the tempo that the owner said before there was an analysis, and tells of the beats that were heard. */
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
  const isSaid = bpm_edited && bpm !== null && Math.abs(bpm - (result.tempo ?? 0)) > SAME_BPM;
  if (isSaid && !keepsGrid(open) && result.beats.length > 0) await takeSaidTempo(context, tx, open, bpm);
  else await announceGrid(tx, open.track);
}
