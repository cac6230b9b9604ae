import { Readable } from 'node:stream';
import { uuid } from '@stem-studio/contract/ids';
import { hasRole } from '@stem-studio/contract/roles';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { failure, notFound, unauthorized } from '../../platform/errors.ts';
import { viewerOf } from '../../platform/http/request-state.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { ownsStems } from '../processing/index.ts';
import { usesSource } from '../tracks/index.ts';
import { parseByteRange } from './byte-range.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** Whether the viewer may have what lies at this relative path; whatever is of no known form, nobody may. */
async function mayRead(context: Context, viewer: Viewer, path: string): Promise<boolean> {
  const [room, id, name, ...rest] = path.split('/');
  if (rest.length > 0 || !uuid.safeParse(id).success || !/^[A-Za-z0-9_]+(\.[a-z0-9]+)?$/.test(name ?? ''))
    return false;
  if (room !== 'downloads' && room !== 'stems') return false;
  if (hasRole(viewer.role, 'admin')) return true;
  return room === 'downloads'
    ? usesSource(context.db, viewer.id, id ?? '')
    : ownsStems(context.db, viewer.id, id ?? '');
}

/**
 * Whether an `If-None-Match` header names this tag.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
function isKnown(header: string | undefined, tag: string): boolean {
  const known = (header ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(tag);
}

async function serveFile(
  context: Context,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const facts = await context.files.stat(path).catch((error: NodeJS.ErrnoException) => {
    // The system's errors have a code; without one it is a path that leads out through a link, which is nowhere.
    if (error.code !== undefined) throw error;
    return null;
  });
  if (!facts) throw notFound('file');
  // What lies under a final name never changes, so its size and time say which one it is.
  const tag = `"${facts.bytes.toString(36)}-${facts.modified.getTime().toString(36)}"`;
  reply
    .header('etag', tag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, max-age=3600')
    .type(mediaTypes[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();

  const condition = request.headers['if-range'];
  const range = parseByteRange(
    condition === undefined || condition === tag ? request.headers.range : undefined,
    facts.bytes,
  );
  if (range.kind === 'outside') {
    reply.header('content-range', `bytes */${facts.bytes}`);
    throw failure('RANGE_NOT_SATISFIABLE', `the range must lie within the file's ${facts.bytes} bytes`);
  }
  const part = range.kind === 'part' ? range : { start: 0, end: facts.bytes - 1 };
  reply.header('content-length', Math.max(0, part.end - part.start + 1));
  if (range.kind === 'part')
    reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${facts.bytes}`);
  if (request.method === 'HEAD' || facts.bytes === 0) return reply.send('');
  return reply.send(Readable.from(context.files.read(path, part)));
}

/**
 * Mounts what the browser plays: sound, peaks, covers and stems of the logged-in user.
 *
 * @spec Export and file serving
 */
export function fileRoutes(app: FastifyInstance, context: Context): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/*',
    handler: async (request, reply) => {
      const viewer = await viewerOf(request);
      if (viewer?.via !== 'cookie') throw unauthorized('log in to get files');
      const path = (request.params as { '*': string })['*'];
      if (!(await mayRead(context, viewer, path))) throw notFound('file');
      return serveFile(context, path, request, reply);
    },
  });
}
