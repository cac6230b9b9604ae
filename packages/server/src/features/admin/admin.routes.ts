import { listAllJobs, listUsers, updateUser } from '@stem-studio/contract/endpoints/admin';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route } from '../../platform/http/route.ts';
import { administerUser } from '../accounts/index.ts';
import { showAllJobs, showUser, showUsers } from './admin.service.ts';

/** Mounts the endpoints for admins only. */
export function adminRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, listUsers, ({ query }) => showUsers(context, query));

  route(app, context, updateUser, async ({ viewer, params, body }) => {
    await administerUser(context, viewer, params.id, body);
    return { data: await showUser(context, params.id) };
  });

  route(app, context, listAllJobs, ({ query }) => showAllJobs(context, query));
}
