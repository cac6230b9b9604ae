import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { html } from '../../../platform/http/html.ts';
import { networkOf } from '../../../platform/http/network-of.ts';
import { sendPlainPage } from '../../../platform/http/plain-page.ts';
import { enforceRateLimit } from '../../../platform/http/request-state.ts';
import { clearCookie, readCookie, setCatalogCookie, setLoginCookie } from '../cookies.ts';
import { type PageExchange, queryField } from '../exchange.ts';
import { leaveFlash } from '../flash.ts';
import { loggedIn, mountForm, mountPage } from '../page-routes.ts';
import { catalogReturnOrigin, hasCatalogLogin } from './catalog-address.ts';
import {
  type CatalogRefusal,
  completeCatalogLogin,
  isLinkToken,
  startCatalogLogin,
  unlinkCatalog,
} from './catalog-login.service.ts';
import { CatalogLoginError } from './catalog-login-error.ts';
import { settingsPath, unlinkPath } from './catalog-section.ts';
import { mountFirstPasswordForm } from './first-password.pages.ts';

const startPath = '/auth/catalog';

const refusals: Readonly<Record<CatalogRefusal, readonly [status: number, sentence: string]>> = {
  stale: [
    403,
    'This login was started in another browser, was used already, or took longer than ten minutes. Nothing was changed.',
  ],
  closed: [
    403,
    'No account of this studio is linked with this catalog account, and registration is closed. Ask the operator to create an account for you, then link the catalog on your settings page.',
  ],
  deactivated: [403, 'This account is deactivated. Ask the operator of this studio to reactivate it.'],
  taken: [
    422,
    'This catalog account is linked with another account of this studio. Unlink it there first. Nothing was changed.',
  ],
  'linked-otherwise': [
    422,
    'Your account is linked with another catalog account. Unlink that one first. Nothing was changed.',
  ],
};

/** Mounts the pages to log in by the catalog, to link and to unlink. */
export function mountCatalogLoginPages(app: FastifyInstance, context: Context): void {
  mountPage(app, context, startPath, async (exchange) => {
    if (!hasCatalogLogin(context.config)) throw notFound('page');
    return (await leadToOurAddress(exchange)) ?? (await start(exchange));
  });

  mountPage(app, context, `${startPath}/callback`, async (exchange) => {
    if (!hasCatalogLogin(context.config)) throw notFound('page');
    return await finish(exchange);
  });

  mountForm(app, context, unlinkPath, {
    DELETE: loggedIn(settingsPath, async (exchange, viewer) => {
      const result = await unlinkCatalog(context, viewer.id);
      if (result === 'only-way') {
        const why =
          'The catalog is your only way in: you have no password here. Choose one on the settings page first, then unlink.';
        return refuse(exchange, 422, 'Not unlinked', why);
      }
      if (result === 'unlinked') leaveFlash(exchange, 'catalog-unlinked');
      return exchange.reply.redirect(settingsPath, 303);
    }),
  });
  mountFirstPasswordForm(app, context);
}

/**
 * Redirects the browser to the origin to which the catalog returns, where the cookie must be set. Null if it is
 * already there.
 */
async function leadToOurAddress({
  context,
  request,
  reply,
  viewer,
}: PageExchange): Promise<FastifyReply | null> {
  const wanted = new URL(catalogReturnOrigin(context.config));
  // Normalised as addresses are compared, without a default port.
  const asked = URL.canParse(`${wanted.protocol}//${request.host}`)
    ? new URL(`${wanted.protocol}//${request.host}`)
    : null;
  if (asked?.host === wanted.host) return null;
  const isNearby = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(asked?.hostname ?? '');
  if (context.config.publicUrl !== null || isNearby) {
    // A logged-in browser is logged in under this host name only: it logs in at the other one first and links on the
    // settings page.
    return reply.redirect(wanted.origin + (viewer ? settingsPath : startPath), 303);
  }
  return sendPlainPage(reply, 422, {
    title: 'Login not available at this address',
    body: html`<p>The catalog redirects only to registered addresses. The operator of this studio must set <code>PUBLIC_URL</code>.</p>
<p class="note"><a href="/users/log-in">Log in with a password</a></p>`,
  });
}

async function start(exchange: PageExchange): Promise<FastifyReply> {
  const { context, request, reply, viewer } = exchange;
  const token = queryField(exchange, 'link');
  // Linking must start on the settings page, so that no other site can start it for its visitor.
  if (viewer && (token === null || !isLinkToken(context, viewer, token)))
    return reply.redirect(`${settingsPath}#catalog`, 303);
  await enforceRateLimit(context, request, reply, 'login', `catalog:${networkOf(request.ip)}`);
  const { url, cookie } = await startCatalogLogin(context, viewer);
  setCatalogCookie(exchange, cookie);
  return reply.header('cache-control', 'no-store').redirect(url, 303);
}

async function finish(exchange: PageExchange): Promise<FastifyReply> {
  const { context, request, reply, viewer } = exchange;
  const back = viewer ? settingsPath : '/users/log-in';
  await enforceRateLimit(context, request, reply, 'login', `callback:${networkOf(request.ip)}`);
  const attempt = readCookie(context.config, request, 'catalog');
  try {
    const outcome = await completeCatalogLogin(context, {
      // A planted cookie would log the visitor in as another user.
      cookie: attempt && !attempt.isUnbound ? attempt.value : null,
      query: new URL(request.url, 'http://here.invalid').searchParams,
      viewer,
      userAgent: request.headers['user-agent'] ?? '',
    });
    if (outcome === 'linked') {
      clearCookie(exchange, 'catalog');
      leaveFlash(exchange, 'catalog-linked');
      return reply.redirect(settingsPath, 303);
    }
    if ('refused' in outcome) {
      const [status, sentence] = refusals[outcome.refused];
      return refuse(exchange, status, 'Catalog login failed', sentence);
    }
    clearCookie(exchange, 'catalog');
    setLoginCookie(exchange, outcome.token);
    return reply.redirect('/', 303);
  } catch (error) {
    if (!(error instanceof CatalogLoginError)) throw error;
    if (error.reason === 'denied') {
      leaveFlash(exchange, 'catalog-denied');
      return reply.redirect(back, 303);
    }
    context.log.warn(`a catalog login failed: ${error.message}`);
    return refuse(exchange, error.reason === 'away' ? 502 : 403, 'Catalog login failed', error.message);
  }
}

function refuse(exchange: PageExchange, status: number, title: string, sentence: string): FastifyReply {
  const back = exchange.viewer
    ? html`<a href="${settingsPath}">Back to the settings</a>`
    : html`<a href="${startPath}">Try again</a> or <a href="/users/log-in">log in with a password</a>`;
  return sendPlainPage(exchange.reply, status, {
    title,
    body: html`<p class="alert" role="alert">${sentence}</p>
<p class="note">${back}</p>`,
  });
}
