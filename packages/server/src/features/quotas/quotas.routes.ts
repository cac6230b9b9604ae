import { getUsage } from '@stem-studio/contract/endpoints/account';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route } from '../../platform/http/route.ts';
import { showUsage } from './quotas.service.ts';

/** Mounts the endpoints of storage usage and quotas. */
export function quotaRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, getUsage, async ({ viewer }) => ({ data: await showUsage(context, viewer.id) }));
}
