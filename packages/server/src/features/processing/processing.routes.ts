import { getProcessingJob, listModels, separate } from '@stem-studio/contract/endpoints/processing';
import { processingStatus } from '@stem-studio/contract/states';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { route, withStatus } from '../../platform/http/route.ts';
import { separateTrack, showModels, showSeparation } from './processing.service.ts';

/** Mounts separation. */
export function processingRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, separate, async ({ viewer, body }) => {
    const { job, existing } = await separateTrack(context, viewer, body);
    const status = processingStatus.parse(job.status);
    return withStatus(existing ? 200 : 201, {
      data: { job_id: job.id, track_id: job.track_id, model: body.model, status },
    });
  });

  route(app, context, getProcessingJob, async ({ viewer, params }) => ({
    data: await showSeparation(context, viewer, params.id),
  }));

  route(app, context, listModels, async () => ({ data: { models: await showModels(context) } }));
}
