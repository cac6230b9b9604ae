import {
  analyze,
  analyzeTracks,
  getAnalysis,
  getAnalysisJob,
} from '@stem-studio/contract/endpoints/analysis';
import { analysisStatus } from '@stem-studio/contract/states';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route, withStatus } from '../../platform/http/route.ts';
import { requestForEach } from '../../platform/queue/batch.ts';
import { analyzeTrack, showAnalysis, showAnalysisJob } from './analysis.service.ts';

/** Mounts the endpoints of analyses. */
export function analysisRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, analyze, async ({ viewer, body }) => {
    const { job, existing, keepsGrid } = await analyzeTrack(context, viewer, body);
    const status = analysisStatus.parse(job.status);
    const data = { job_id: job.id, track_id: body.track_id, status, keeps_grid: keepsGrid };
    return withStatus(existing ? 200 : 201, { data });
  });

  route(app, context, analyzeTracks, async ({ viewer, body }) => ({
    data: await requestForEach(body.track_ids, (track_id) =>
      analyzeTrack(context, viewer, { track_id, features: ['all'] }),
    ),
  }));

  route(app, context, getAnalysisJob, async ({ viewer, params }) => ({
    data: await showAnalysisJob(context, viewer, params.id),
  }));

  route(app, context, getAnalysis, async ({ viewer, params }) => ({
    data: await showAnalysis(context, viewer, params.track_id),
  }));
}
