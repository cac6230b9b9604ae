import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { alertOf, field, form } from '../../platform/http/form-fields.ts';
import { html } from '../../platform/http/html.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import { sendPlainPage } from '../../platform/http/plain-page.ts';
import { catalogButton } from './catalog-login/catalog-section.ts';
import { setLoginCookie } from './cookies.ts';
import { countLogInAttempt } from './count-attempt.ts';
import { csrfTokenFor } from './csrf.ts';
import { type PageExchange, queryField } from './exchange.ts';
import { findLogInNotice } from './failed-log-ins.store.ts';
import { describeFailures, noteFailedLogIn } from './failed-log-ins.ts';
import { takeFlash } from './flash.ts';
import { rememberBrowser } from './known-browser.ts';
import { lanesDrawing } from './lanes-drawing.ts';
import { logIn } from './log-in.service.ts';
import { loggedIn, mountForm, mountPage } from './page-routes.ts';
import { registerPath, safeReturnTo } from './return-to.ts';

const refusals = {
  wrong: 'The email address or the password is wrong.',
  deactivated: 'This account is deactivated. Ask the operator of this studio to reactivate it.',
} as const;

/** Mounts the log-in page. */
export function mountLogInPages(app: FastifyInstance, context: Context): void {
  mountPage(app, context, '/users/log-in', async (exchange) => {
    const returnTo = safeReturnTo(queryField(exchange, 'return_to') ?? undefined);
    if (exchange.viewer) return exchange.reply.redirect(returnTo, 303);
    return show(exchange, 200, { returnTo });
  });

  mountForm(app, context, '/users/log-in', {
    POST: async (exchange) => {
      const { request, reply, fields } = exchange;
      const email = (fields['user[email]'] ?? '').trim().toLowerCase();
      const returnTo = safeReturnTo(fields['return_to']);
      const wait = await countLogInAttempt(exchange, email);
      if (wait) return show(exchange, 429, { returnTo, email, alert: wait });
      const result = await logIn(context, {
        email,
        password: fields['user[password]'] ?? '',
        userAgent: request.headers['user-agent'] ?? '',
        previousSessionId: exchange.viewer?.login_session_id ?? null,
      });
      if (result === 'wrong') noteFailedLogIn(exchange, email);
      if (typeof result === 'string')
        return show(exchange, 422, { returnTo, email, alert: refusals[result] });
      setLoginCookie(exchange, result.token);
      rememberBrowser(exchange, email);
      // A few wrong passwords from the user's own network need no notice.
      const isOwn = result.failures?.networks === 1 && result.failures.last_network === networkOf(request.ip);
      if (result.failures && !isOwn) return reply.redirect(noticePath(returnTo), 303);
      return reply.redirect(returnTo, 303);
    },
  });

  mountPage(
    app,
    context,
    '/users/log-in/notice',
    loggedIn('/users/log-in/notice', async (exchange, viewer) => {
      const returnTo = safeReturnTo(queryField(exchange, 'return_to') ?? undefined);
      const notice = await findLogInNotice(context.db, viewer.login_session_id ?? '');
      if (!notice) return exchange.reply.redirect(returnTo, 303);
      return sendPlainPage(exchange.reply, 200, {
        title: 'Failed log-ins',
        hasScript: true,
        body: html`<p class="alert" role="alert">${describeFailures(notice)}</p>
<p>If that was not you, somebody is guessing your password. None of these attempts succeeded. A long password that you use nowhere else is safe from guessing.</p>
<p><a class="button primary" href="${returnTo}">Continue</a></p>
<p class="note"><a href="/users/settings#password">Change the password</a></p>`,
      });
    }),
  );

  // Alternative spelling; 308 keeps the method and the form data.
  app.route({
    method: ['GET', 'POST'],
    url: '/users/log_in',
    handler: (request, reply) => {
      // Any spelling of the path before the query, such as `/users/log%5Fin`, is routed here.
      const [, query] = /\?(.*)$/.exec(request.url) ?? [];
      return reply.redirect(query === undefined ? '/users/log-in' : `/users/log-in?${query}`, 308);
    },
  });
}

/** Returns the path of the page about failed log-ins that continues to `path`. */
function noticePath(path: string): string {
  return `/users/log-in/notice?return_to=${encodeURIComponent(path)}`;
}

function show(
  exchange: PageExchange,
  status: number,
  { returnTo, email, alert }: { returnTo: string; email?: string; alert?: string },
): FastifyReply {
  const canRegister = exchange.context.config.registration === 'open';
  return sendPlainPage(exchange.reply, status, {
    title: 'Log in',
    beside: lanesDrawing,
    flash: takeFlash(exchange),
    body: html`${alertOf(alert)}
${form({
  action: '/users/log-in',
  csrfToken: csrfTokenFor(exchange, exchange.viewer),
  fields: [
    html`<input type="hidden" name="return_to" value="${returnTo}">`,
    field({
      name: 'user[email]',
      label: 'Email',
      type: 'email',
      autocomplete: 'username',
      value: email,
      maxLength: 160,
    }),
    field({
      name: 'user[password]',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
    }),
  ],
  submit: 'Log in',
  look: 'primary',
})}
${catalogButton(exchange)}
<p class="note">${
      canRegister
        ? html`New here? <a href="${registerPath(returnTo)}">Register</a>`
        : html`No account? Registration is closed: ask the operator of this studio to create one for you.`
    }</p>`,
  });
}
