import { uuid } from '@stem-studio/contract/ids';
import { hasRole } from '@stem-studio/contract/roles';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { notFound, unauthorized } from '../../platform/errors.ts';
import { viewerOf } from '../../platform/http/request-state.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { ownsStems } from '../processing/index.ts';
import { usesSource } from '../tracks/index.ts';
import { serveFile } from './serve-file.ts';

/** Tells whether the viewer may read the file at a relative path; false for paths of unknown form. */
async function mayRead(context: Context, viewer: Viewer, path: string): Promise<boolean> {
  const [topFolder, id, name, ...rest] = path.split('/');
  if (rest.length > 0 || !uuid.safeParse(id).success || !/^[A-Za-z0-9_]+(\.[a-z0-9]+)?$/.test(name ?? ''))
    return false;
  if (topFolder !== 'downloads' && topFolder !== 'stems') return false;
  if (hasRole(viewer.role, 'admin')) return true;
  return topFolder === 'downloads'
    ? usesSource(context.db, viewer.id, id ?? '')
    : ownsStems(context.db, viewer.id, id ?? '');
}

/** Returns the path with its id in lower case: ids are case-insensitive, and folders are named in lower case. */
function withPlainId(path: string): string {
  const [topFolder = '', id, ...rest] = path.split('/');
  return id === undefined ? path : [topFolder, id.toLowerCase(), ...rest].join('/');
}

/**
 * Mounts the media files of the logged-in user: audio, peaks, cover art and stems.
 *
 * @spec Stored files
 */
export function fileRoutes(app: FastifyInstance, context: Context): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/*',
    handler: async (request, reply) => {
      const viewer = await viewerOf(request);
      if (viewer?.via !== 'cookie') throw unauthorized('log in to get files');
      const path = withPlainId((request.params as { '*': string })['*']);
      if (!(await mayRead(context, viewer, path))) throw notFound('file');
      return serveFile(context, path, request, reply);
    },
  });
}
