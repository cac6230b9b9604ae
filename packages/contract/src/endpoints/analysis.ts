import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { analysisJob, analysisResult, featureName } from '../resources/analysis.ts';
import { batchResult, batchTrackIds } from '../resources/batch-request.ts';
import { analysisStatus } from '../states.ts';

/** Analyses a downloaded track. */
export const analyze = endpoint({
  method: 'POST',
  path: '/api/analysis/analyze',
  summary: 'Analyse a track',
  auth: 'api',
  scope: 'analysis:write',
  limit: 'analyze',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND', 'TRACK_NOT_DOWNLOADED', 'QUOTA_EXCEEDED'],
  body: z.strictObject({
    track_id: uuid,
    features: z.array(featureName).min(1, 'must name at least one feature').default(['all']),
  }),
  reply: dataOf(
    z.object({
      job_id: uuid,
      track_id: uuid,
      status: analysisStatus,
      /** Whether the beats stay unchanged because the track's owner set or locked them. */
      keeps_grid: z.boolean(),
    }),
  ),
});

/** Analyses several downloaded tracks completely. Refused tracks are listed; refused if all are. */
export const analyzeTracks = endpoint({
  method: 'POST',
  path: '/api/analysis/analyze-tracks',
  summary: 'Analyse several tracks',
  auth: 'api',
  scope: 'analysis:write',
  limit: 'analyze',
  answersOnce: true,
  status: 200,
  errors: ['NOT_FOUND', 'TRACK_NOT_DOWNLOADED', 'QUOTA_EXCEEDED'],
  body: z.strictObject({ track_ids: batchTrackIds }),
  reply: dataOf(batchResult),
});

/** Returns an analysis job: its progress, and its result once completed. */
export const getAnalysisJob = endpoint({
  method: 'GET',
  path: '/api/analysis/job/:id',
  summary: 'An analysis job and its result',
  auth: 'api',
  scope: 'analysis:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(analysisJob),
});

/**
 * Returns the newest value of every analysed feature of a track. Beats set by its owner replace the detected ones.
 */
export const getAnalysis = endpoint({
  method: 'GET',
  path: '/api/analysis/:track_id',
  summary: 'Stored analysis of a track',
  auth: 'api',
  scope: 'analysis:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: z.object({ track_id: uuid }),
  reply: dataOf(analysisResult),
});
