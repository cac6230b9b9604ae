import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { uuid } from '../ids.ts';
import { network, networkName } from '../resources/network.ts';
import { separationModel } from '../separation-models.ts';
import { processingStatus } from '../states.ts';

const byName = z.object({ name: networkName });

/** Lists the separation networks that can be downloaded, with their installation and running downloads. */
export const listNetworks = endpoint({
  method: 'GET',
  path: '/api/admin/networks',
  summary: 'Separation networks to download',
  auth: 'api',
  scope: 'admin',
  role: 'admin',
  status: 200,
  reply: dataOf(z.object({ networks: z.array(network) })),
});

/**
 * Downloads a network as a job, or returns the job that does, and lets it serve a separation model. Continues an unfinished download. Cancelling the
 * job keeps what has arrived.
 */
export const downloadNetwork = endpoint({
  method: 'POST',
  path: '/api/admin/networks/:name',
  summary: 'Download and install a separation network',
  auth: 'api',
  scope: 'admin',
  role: 'admin',
  limit: 'download',
  status: 200,
  errors: ['NOT_FOUND', 'LICENCE_NOT_ACCEPTED', 'QUOTA_EXCEEDED'],
  params: byName,
  body: z.strictObject({
    /** Model that it serves; by default the first that it can serve. */
    model: separationModel.optional(),
    /** Whether the terms of its licence are accepted. */
    accept_licence: z.boolean().default(false),
  }),
  reply: dataOf(
    z.object({ job_id: uuid, name: networkName, model: separationModel, status: processingStatus }),
  ),
});

/** Removes a network from the models that it serves, and deletes what has been downloaded of it. */
export const removeNetwork = endpoint({
  method: 'DELETE',
  path: '/api/admin/networks/:name',
  summary: 'Remove a separation network',
  auth: 'api',
  scope: 'admin',
  role: 'admin',
  status: 200,
  errors: ['NOT_FOUND', 'NETWORK_BUSY'],
  params: byName,
  reply: dataOf(z.object({ freed_bytes: z.int() })),
});
