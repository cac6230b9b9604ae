import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { wantsPage } from '../../platform/http/error-reply.ts';
import { html } from '../../platform/http/html.ts';
import { type PlainPage, sendPlainPage } from '../../platform/http/plain-page.ts';
import { viewerOf } from '../../platform/http/request-state.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { renewLoginCookie } from './authenticator.ts';
import { isStaleToken } from './csrf.ts';
import type { PageExchange } from './exchange.ts';
import { logInPath } from './return-to.ts';

/** Handles a request from a browser. */
export type PageHandler = (exchange: PageExchange) => Promise<FastifyReply>;

/** Wraps a handler for logged-in users; others are redirected to the log-in page and then to `path`. */
export function loggedIn(
  path: string,
  handler: (exchange: PageExchange, viewer: Viewer) => FastifyReply | Promise<FastifyReply>,
): PageHandler {
  return async (exchange) => {
    if (!exchange.viewer) return exchange.reply.redirect(logInPath(path), 303);
    return await handler(exchange, exchange.viewer);
  };
}

/** Maximum size of a form body, in bytes. */
const formBodyLimitBytes = 65_536;

/** Mounts a public page. */
export function mountPage(app: FastifyInstance, context: Context, path: string, handler: PageHandler): void {
  app.get(path, async (request, reply) => {
    const exchange = await exchangeOf(context, request, reply);
    renewLoginCookie(exchange);
    return await handler(exchange);
  });
}

/**
 * Mounts the form handlers of one path. HTML forms support only GET and POST: a POST with the hidden field `_method`
 * counts as that method. The CSRF token is checked before any handler runs, including log-in and registration.
 *
 * @spec Account pages
 */
export function mountForm(
  app: FastifyInstance,
  context: Context,
  path: string,
  handlers: Readonly<Partial<Record<'POST' | 'PUT' | 'DELETE', PageHandler>>>,
): void {
  app.route({
    method: [...new Set(['POST', ...Object.keys(handlers)])],
    url: path,
    bodyLimit: formBodyLimitBytes,
    handler: async (request, reply) => {
      const exchange = await exchangeOf(context, request, reply);
      try {
        await app.authenticator.checkCsrf(request, exchange.viewer);
      } catch (error) {
        if (!isStaleToken(error) || !wantsPage(request)) throw error;
        return sendPlainPage(reply, 403, stalePage(exchange, path));
      }
      const handler = (handlers as Readonly<Record<string, PageHandler | undefined>>)[methodOf(exchange)];
      if (!handler) throw notFound('page');
      return await handler(exchange);
    },
  });
}

/** Returns the page for a form that was opened under another login. */
function stalePage({ viewer }: PageExchange, path: string): PlainPage {
  const page = /^\/users\/(settings|log-in|register)/.exec(path)?.[0] ?? '/';
  return {
    title: 'This form is out of date',
    body: html`<p>${
      viewer
        ? html`You are logged in as ${viewer.email}. The form was opened before that log-in, so nothing was changed.`
        : 'The form was opened under a log-in that has ended, or the browser refuses cookies. Nothing was changed.'
    }</p>
<p><a class="button primary" href="${page}">Open the page again</a></p>
<p class="hint">The CSRF token of the form is missing or belongs to another log-in.</p>`,
  };
}

function methodOf({ request, fields }: PageExchange): string {
  return request.method === 'POST' ? (fields['_method'] ?? 'POST').toUpperCase() : request.method;
}

async function exchangeOf(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PageExchange> {
  const viewer = await viewerOf(request);
  const fields = Object.fromEntries(
    Object.entries((request.body ?? {}) as Record<string, unknown>).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
  return { context, request, reply, viewer: viewer?.via === 'cookie' ? viewer : null, fields };
}
