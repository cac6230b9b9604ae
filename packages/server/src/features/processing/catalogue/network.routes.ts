import { downloadNetwork, listNetworks, removeNetwork } from '@stem-studio/contract/endpoints/networks';
import { processingStatus } from '@stem-studio/contract/states';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { route } from '../../../platform/http/route.ts';
import { deleteNetwork, requestNetwork, showNetworks } from './network.service.ts';

/** Mounts the endpoints of the networks that admins download. */
export function networkRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, listNetworks, async () => ({ data: { networks: await showNetworks(context) } }));

  route(app, context, downloadNetwork, async ({ viewer, params, body }) => {
    const { job, model } = await requestNetwork(context, viewer, params.name, body);
    const status = processingStatus.parse(job.status);
    return { data: { job_id: job.id, name: params.name, model, status } };
  });

  route(app, context, removeNetwork, async ({ viewer, params }) => ({
    data: { freed_bytes: await deleteNetwork(context, viewer, params.name) },
  }));
}
