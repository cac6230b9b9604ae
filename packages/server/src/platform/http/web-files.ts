import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The page as Vite has built it. */
export const webDistFolder = fileURLToPath(new URL('../../../../web/dist/', import.meta.url));

/** Vite names what it builds after its content; a compressed file has its own ending behind that. */
const hashedPath = /\/assets\/[^/]+-[\w-]{8,}\.\w+(\.br|\.gz)?$/;

/**
 * Serves the built page's files, if it has been built: those named after their content for ever, the others after
 * asking; compressed for whoever takes that, as the build has compressed them. The document itself is rendered by the feature `pages`.
 */
export async function serveWebFiles(app: FastifyInstance, folder = webDistFolder): Promise<boolean> {
  const isBuilt = await access(folder).then(
    () => true,
    () => false,
  );
  if (!isBuilt) return false;
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['index.html', '**/*.map', '**/*.br', '**/*.gz'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      const age = hashedPath.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
      reply.header('cache-control', age);
    },
  });
  return true;
}
