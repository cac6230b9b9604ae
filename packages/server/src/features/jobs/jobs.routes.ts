import {
  cancelJob,
  getJob,
  listJobs,
  retryJob as retryJobEndpoint,
} from '@stem-studio/contract/endpoints/jobs';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { route, withStatus } from '../../platform/http/route.ts';
import { endJob, retryJob, showJob, showJobs } from './jobs.service.ts';

/** Mounts the list of background work. */
export function jobRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, listJobs, ({ viewer, query }) => showJobs(context, viewer, query));

  route(app, context, getJob, async ({ viewer, params }) => ({
    data: await showJob(context, viewer, params.id),
  }));

  route(app, context, cancelJob, async ({ viewer, params }) => {
    await endJob(context, viewer, params.id);
    return undefined;
  });

  route(app, context, retryJobEndpoint, async ({ viewer, params }) => {
    const { job, existing } = await retryJob(context, viewer, params.id);
    return withStatus(existing ? 200 : 201, { data: job });
  });
}
