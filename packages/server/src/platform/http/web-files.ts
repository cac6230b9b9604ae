import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Folder of the web page built by Vite. */
export const webDistFolder = fileURLToPath(new URL('../../../../web/dist/', import.meta.url));

/** Path of a built file with a content hash in its name, optionally of a compressed copy. */
const hashedPath = /\/assets\/[^/]+-[\w-]{8,}\.\w+(\.br|\.gz)?$/;

/**
 * Serves the files of the built web page and returns whether it has been built. Files with a content hash in their name
 * are cached permanently, others are revalidated. Precompressed copies are sent to clients that accept them. The
 * document itself is rendered by the feature `pages`.
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
