import { createMix, downloadMix, getMix, listMixes } from '@stem-studio/contract/endpoints/mixes';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { route, withStatus } from '../../../platform/http/route.ts';
import { attachment } from '../download-name.ts';
import { serveFile } from '../serve-file.ts';
import { findMixFile, requestMix, showMix, showMixes } from './mixes.service.ts';

/** Mounts the endpoints of rendered mixes. */
export function mixRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, createMix, async ({ viewer, params, body }) => {
    const { mix, existing } = await requestMix(context, viewer, params.id, body);
    return withStatus(existing ? 200 : 201, { data: mix });
  });

  route(app, context, listMixes, async ({ viewer }) => ({ data: await showMixes(context, viewer) }));

  route(app, context, getMix, async ({ viewer, params }) => ({
    data: await showMix(context, viewer, params.id),
  }));

  route(app, context, downloadMix, async ({ viewer, params, request, reply }) => {
    const { path, name } = await findMixFile(context, viewer, params.id);
    reply.header('content-disposition', attachment(name));
    return serveFile(context, path, request, reply);
  });
}
