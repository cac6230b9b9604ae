import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { html } from '../../platform/http/html.ts';
import { sendPlainPage } from '../../platform/http/plain-page.ts';
import { viewerOf } from '../../platform/http/request-state.ts';
import { csrfTokenFor, logInPath, renewLoginCookie } from '../accounts/index.ts';
import { connectedCatalogs, demoAlbumUrl } from '../catalog/index.ts';
import { fillMeta } from './fill-meta.ts';

/**
 * Mounts the dashboard. Browsers that are not logged in are redirected to log in and return.
 *
 * @param distFolder build folder of the web app; its page and file list are read once
 * @spec Dashboard
 */
export async function mountHome(app: FastifyInstance, context: Context, distFolder: string): Promise<void> {
  const page = await readFile(join(distFolder, 'index.html'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
  app.get('/', async (request, reply) => {
    const viewer = await viewerOf(request);
    if (viewer?.via !== 'cookie') return reply.redirect(logInPath(request.url), 303);
    const exchange = { context, request, reply };
    renewLoginCookie(exchange);
    if (page === null) return sendPlainPage(reply, 503, notBuilt);
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(
        fillMeta(page, {
          'csrf-token': csrfTokenFor(exchange, viewer),
          'demo-album-url': demoAlbumUrl,
          catalogs: connectedCatalogs(context).join(' '),
          // Id of the login, which grants no access: the page stores state under it that lasts until the next login.
          'login-session': viewer.login_session_id ?? '',
          // By which an open page notices that another user has logged in.
          'login-email': viewer.email,
        }),
      );
  });
}

const notBuilt = {
  title: 'The page is not built yet',
  body: html`<p>The service runs, but its page has not been built. Type <code>npm run build</code> in the project's folder and start the service again.</p>
<p class="note"><a href="/users/settings">Settings</a> work without it.</p>`,
};
