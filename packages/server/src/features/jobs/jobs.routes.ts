import {
  cancelJob,
  getJob,
  listJobs,
  retryJob as retryJobEndpoint,
} from '@stem-studio/contract/endpoints/jobs';
import type { RateLimitName } from '@stem-studio/contract/limits';
import type { JobType } from '@stem-studio/contract/states';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { enforceRateLimit, rateKey } from '../../platform/http/request-state.ts';
import { route, withStatus } from '../../platform/http/route.ts';
import { endJob, retryJob, showJob, showJobs } from './jobs.service.ts';

/** A retry counts against the rate limit of its type, so that cancelling and retrying does not bypass the limit. */
const limitOf: Readonly<Record<JobType, RateLimitName>> = {
  download: 'download',
  processing: 'separate',
  analysis: 'analyze',
  cues: 'analyze',
  notes: 'transcribe',
  mix: 'mix',
  network: 'download',
};

/** Mounts the endpoints of jobs. */
export function jobRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, listJobs, ({ viewer, query }) => showJobs(context, viewer, query));

  route(app, context, getJob, async ({ viewer, params }) => ({
    data: await showJob(context, viewer, params.id),
  }));

  route(app, context, cancelJob, async ({ viewer, params }) => {
    await endJob(context, viewer, params.id);
    return undefined;
  });

  route(app, context, retryJobEndpoint, async ({ viewer, params, request, reply }) => {
    const { type } = await showJob(context, viewer, params.id);
    await enforceRateLimit(context, request, reply, limitOf[type], rateKey(request, viewer));
    const { job, existing } = await retryJob(context, viewer, params.id);
    return withStatus(existing ? 200 : 201, { data: job });
  });
}
