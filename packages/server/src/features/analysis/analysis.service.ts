import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { analyze } from '@stem-studio/contract/endpoints/analysis';
import type { AnalysisJob, AnalysisResult, DetectedAnalysis } from '@stem-studio/contract/resources/analysis';
import { analysisStatus } from '@stem-studio/contract/states';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import { emit } from '../../platform/events.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { findPermittedJob } from '../../platform/queue/job-access.ts';

import { type AcceptedJob, type RequestOptions, requestJobOnce } from '../../platform/queue/jobs.ts';
import {
  findOwnedTrack,
  getReadableTrack,
  recordDetected,
  requireQuotaForTrack,
  requireTrackId,
  trackSubject,
} from '../tracks/index.ts';
import * as store from './analysis.store.ts';
import { type AnalysisArgs, storedAnalysisArgs } from './analysis-args.ts';
import { findCurrentGrid, findNewestAnalysis } from './current-grid.ts';
import { afterAnalysis, beforeAnalysis, keepsGrid } from './follow-grid.service.ts';

/**
 * Requests an analysis in the caller's transaction. Returns a queued or running job with the same features instead of
 * a second one.
 */
export async function requestAnalysis(
  context: Context,
  tx: Tx,
  track: { readonly id: string; readonly user_id: number },
  args: AnalysisArgs,
  { follows, admit }: RequestOptions = {},
): Promise<AcceptedJob> {
  const asked = new Set(args.features);
  return requestJobOnce(
    context,
    tx,
    { type: 'analysis', user_id: track.user_id, subject: trackSubject(track.id), args, follows },
    (job) => {
      const other = storedAnalysisArgs.read(tx, job.args, job.id);
      return other !== null && asked.symmetricDifference(new Set(other.features)).size === 0;
    },
    admit,
  );
}

/**
 * Requests an analysis of the caller's track and reports whether its beats are kept. Throws `NOT_FOUND`,
 * `TRACK_NOT_DOWNLOADED` or `QUOTA_EXCEEDED`.
 *
 * @spec Analysis jobs
 */
export async function analyzeTrack(
  context: Context,
  viewer: Viewer,
  request: HandlerInput<typeof analyze>['body'],
): Promise<AcceptedJob & { readonly keepsGrid: boolean }> {
  const track = await findOwnedTrack(context.db, viewer, request.track_id);
  if (!track.audio) {
    throw stateForbids(
      'TRACK_NOT_DOWNLOADED',
      'the track has no audio yet: wait for its download, or retry that',
    );
  }
  const accepted = await context.db.transaction().execute((tx) =>
    requestAnalysis(
      context,
      tx,
      track,
      { features: request.features },
      {
        admit: (locked) =>
          requireQuotaForTrack(context, locked, track, {
            what: 'this analysis',
            jobs: 1,
          }),
      },
    ),
  );
  const current = await findCurrentGrid(context.db, track);
  return { ...accepted, keepsGrid: keepsGrid({ current }) };
}

/**
 * Stores a result, updates tempo and key of the track, and emits `analysis.completed`. Beats that the owner set or
 * locked are kept with their tempo.
 */
export async function completeAnalysis(
  context: Context,
  tx: Tx,
  run: { readonly jobId: string; readonly trackId: string; readonly userId: number },
  audioSourceId: string | null,
  result: DetectedAnalysis,
): Promise<void> {
  const isOwnTempo = !(await beforeAnalysis(context, tx, run.trackId));
  await store.insertAnalysis(tx, {
    job_id: run.jobId,
    track_id: run.trackId,
    result,
    audio_source_id: audioSourceId,
    created_at: context.clock.now(),
  });
  await recordDetected(context, tx, run.trackId, {
    // A tempo of 0 means that no pulse was detected.
    ...(result.tempo !== undefined && !isOwnTempo && { bpm: result.tempo > 0 ? result.tempo : null }),
    ...(result.key !== undefined && { key: result.key }),
    ...(result.loudness_lufs !== undefined && { loudness_lufs: result.loudness_lufs }),
  });
  await afterAnalysis(context, tx, run.trackId, result);
  await emit(context, tx, 'analysis.completed', {
    track_id: run.trackId,
    user_id: run.userId,
    job_id: run.jobId,
  });
}

/** Returns an analysis job with its result. Throws `NOT_FOUND`. */
export async function showAnalysisJob(context: Context, viewer: Viewer, id: string): Promise<AnalysisJob> {
  const row = await findPermittedJob(context, viewer, id, 'read');
  if (!row || row.type !== 'analysis') throw notFound('analysis job');
  return {
    id: row.id,
    track_id: requireTrackId(row),
    status: analysisStatus.parse(row.status),
    progress: row.progress,
    message: row.message,
    eta_seconds: row.eta_seconds,
    features: storedAnalysisArgs.read(context.db, row.args, row.id)?.features ?? ['all'],
    result: row.status === 'completed' ? await store.findAnalysisOfJob(context.db, row.id) : null,
    error: row.error,
  };
}

/**
 * Returns the newest value of every analysed feature of a readable track, with its current beats. Throws `NOT_FOUND` if
 * there is none.
 */
export async function showAnalysis(
  context: Context,
  viewer: Viewer,
  trackId: string,
): Promise<AnalysisResult> {
  const track = await getReadableTrack(context.db, viewer, trackId);
  const result = await findNewestAnalysis(context.db, track);
  if (!result) throw notFound('analysis');
  return result;
}
