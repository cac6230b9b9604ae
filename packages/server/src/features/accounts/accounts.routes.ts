import { getAccount } from '@stem-studio/contract/endpoints/account';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route } from '../../platform/http/route.ts';
import { getUser } from '../users/index.ts';

/** Mounts the HTTP endpoints of the account. */
export function mountAccountRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, getAccount, async ({ viewer }) => ({ data: await getUser(context, viewer.id) }));
}
