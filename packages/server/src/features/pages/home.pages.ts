import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { html } from '../../platform/http/html.ts';
import { sendPlainPage } from '../../platform/http/plain-page.ts';
import { viewerOf } from '../../platform/http/request-state.ts';
import { csrfTokenFor, logInPath } from '../accounts/index.ts';
import { demoAlbumUrl } from '../catalog/index.ts';
import { readBuiltPage } from './built-page.ts';
import { fillMeta } from './fill-meta.ts';

/**
 * Mounts the dashboard and the files it is built of. Who is not logged in is sent to log in and comes back.
 *
 * @param distFolder where the web app was built; it may be missing, and may be built while the service runs
 * @spec Account and web routes
 */
export async function mountHome(app: FastifyInstance, context: Context, distFolder: string): Promise<void> {
  app.get('/', async (request, reply) => {
    const viewer = await viewerOf(request);
    if (viewer?.via !== 'cookie') return reply.redirect(logInPath(request.url), 303);
    const page = await readBuiltPage(distFolder);
    if (page === null) return sendPlainPage(reply, 503, notBuilt);
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(
        fillMeta(page, {
          'csrf-token': csrfTokenFor({ context, request, reply }, viewer),
          'demo-album-url': demoAlbumUrl,
        }),
      );
  });

  await app.register(fastifyStatic, {
    root: distFolder,
    prefix: '/',
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    // The page itself is served above, with what it needs filled in.
    allowedPath: (path) => path !== '/index.html',
    setHeaders: (reply, path) => {
      // Names under assets/ carry a hash of the content.
      const isHashed = path.startsWith(`${distFolder}assets`);
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

const notBuilt = {
  title: 'The page is not built yet',
  body: html`<p>The service runs, but its page has not been built. Type <code>npm run build</code> in the project's folder and load this page again.</p>
<p class="aside"><a href="/users/settings">Settings</a> work without it.</p>`,
};
