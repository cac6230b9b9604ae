import {
  cancelAllCloudTasks,
  cancelCloudTask,
  getCloudPrice,
  getCloudQuota,
} from '@stem-studio/contract/endpoints/cloudsep';
import {
  deleteStems,
  getProcessingJob,
  listModels,
  separate,
  separateTracks,
} from '@stem-studio/contract/endpoints/processing';
import { chooseSeparation, listSeparations } from '@stem-studio/contract/endpoints/separations';
import { processingStatus } from '@stem-studio/contract/states';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route, withStatus } from '../../platform/http/route.ts';
import { requestForEach } from '../../platform/queue/batch.ts';
import { networkRoutes } from './catalogue/network.routes.ts';
import { cancelAllWork, cancelWork, showPrice, showQuota } from './cloud/cloud-work.service.ts';
import { separateTrack, showModels, showSeparation } from './processing.service.ts';
import { chooseSeparation as choose, listSeparations as list, removeStems } from './separations.service.ts';

/** Registers the separation routes. */
export function processingRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, separate, async ({ viewer, body }) => {
    const { job, existing, args, priceMinutes } = await separateTrack(context, viewer, body);
    const status = processingStatus.parse(job.status);
    return withStatus(existing ? 200 : 201, {
      data: {
        job_id: job.id,
        track_id: body.track_id,
        model: args.model,
        status,
        price_minutes: existing ? 0 : priceMinutes,
      },
    });
  });

  route(app, context, separateTracks, async ({ viewer, body: { track_ids, model } }) => {
    const choice = { model, engine: 'local', preview: false } as const;
    return {
      data: await requestForEach(track_ids, (track_id) =>
        separateTrack(context, viewer, { track_id, ...choice }),
      ),
    };
  });

  route(app, context, getProcessingJob, async ({ viewer, params }) => ({
    data: await showSeparation(context, viewer, params.id),
  }));

  route(app, context, deleteStems, async ({ viewer, params }) => ({
    data: { freed_bytes: await removeStems(context, viewer, params.id) },
  }));

  route(app, context, listSeparations, async ({ viewer, params }) => ({
    data: await list(context, viewer, params.track_id),
  }));

  route(app, context, chooseSeparation, async ({ viewer, params }) => ({
    data: await choose(context, viewer, params.id),
  }));

  route(app, context, listModels, async () => ({ data: { models: await showModels(context) } }));

  networkRoutes(app, context);

  route(app, context, getCloudQuota, async ({ viewer }) => ({ data: await showQuota(context, viewer) }));

  route(app, context, getCloudPrice, async ({ viewer, query }) => ({
    data: await showPrice(context, viewer, query),
  }));

  route(app, context, cancelCloudTask, async ({ viewer, body }) => ({
    data: await cancelWork(context, viewer, body.task_id),
  }));

  route(app, context, cancelAllCloudTasks, async ({ viewer }) => ({
    data: await cancelAllWork(context, viewer),
  }));
}
