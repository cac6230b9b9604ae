import { exportAccount } from '@stem-studio/contract/endpoints/account';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route } from '../../platform/http/route.ts';
import { attachment, noBody, zipStream } from '../exports/index.ts';
import { accountFiles } from './account-export.service.ts';

/** Mounts the download of all data of a user. */
export function accountExportRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, exportAccount, async ({ viewer, request, reply }) => {
    const day = context.clock.now().toISOString().slice(0, 10);
    const studioUrl = context.config.publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}`;
    reply
      .headers({
        'content-disposition': attachment(`Stem Studio ${day}.zip`),
        'cache-control': 'private, no-store',
      })
      .type('application/zip');
    if (request.method === 'HEAD') return reply.send(noBody());
    return reply.send(zipStream(accountFiles(context, { userId: viewer.id, studioUrl })));
  });
}
