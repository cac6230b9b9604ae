import type { ErrorDetails } from '@stem-studio/contract/errors';
import { passwordBounds } from '@stem-studio/contract/resources/user';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { field, form } from '../../platform/http/form-fields.ts';
import { html } from '../../platform/http/html.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import { sendPlainPage } from '../../platform/http/plain-page.ts';
import { enforceRateLimit } from '../../platform/http/request-state.ts';
import { setLoginCookie } from './cookies.ts';
import { csrfTokenFor } from './csrf.ts';
import { type PageExchange, queryField } from './exchange.ts';
import { rememberBrowser } from './known-browser.ts';
import { lanesDrawing } from './lanes-drawing.ts';
import { mountForm, mountPage } from './page-routes.ts';
import { register, registrationIsOpen } from './registration.service.ts';
import { logInPath, safeReturnTo } from './return-to.ts';

/** Mounts the registration form. */
export function mountRegisterPages(app: FastifyInstance, context: Context): void {
  mountPage(app, context, '/users/register', async (exchange) => {
    const setupToken = queryField(exchange, 'setup');
    if (exchange.viewer && setupToken === null) return exchange.reply.redirect('/', 303);
    const open = await registrationIsOpen(context, setupToken);
    if (open !== true) return refuse(exchange, open || 'closed');
    const returnTo = safeReturnTo(queryField(exchange, 'return_to') ?? undefined);
    return show(exchange, 200, { setupToken, returnTo });
  });

  mountForm(app, context, '/users/register', {
    POST: async (exchange) => {
      const { request, reply, fields } = exchange;
      await enforceRateLimit(context, request, reply, 'register', `address:${networkOf(request.ip)}`);
      const setupToken = fields['setup'] || null;
      const returnTo = safeReturnTo(fields['return_to']);
      const email = fields['user[email]'] ?? '';
      const result = await register(context, {
        email,
        password: fields['user[password]'] ?? '',
        setupToken,
        userAgent: request.headers['user-agent'] ?? '',
        previousSessionId: exchange.viewer?.login_session_id ?? null,
      });
      if ('token' in result) {
        setLoginCookie(exchange, result.token);
        rememberBrowser(exchange, email.trim().toLowerCase());
        return reply.redirect(returnTo, 303);
      }
      if (result.refused !== 'fields') return refuse(exchange, result.refused);
      return show(exchange, 422, { setupToken, returnTo, email, errors: result.errors });
    },
  });
}

function show(
  exchange: PageExchange,
  status: number,
  {
    setupToken,
    returnTo,
    email,
    errors,
  }: { setupToken: string | null; returnTo: string; email?: string; errors?: ErrorDetails },
): FastifyReply {
  return sendPlainPage(exchange.reply, status, {
    title: setupToken === null ? 'Register' : 'Create the administrator',
    beside: lanesDrawing,
    body: html`${
      setupToken === null ? null : html`<p>This link is for the operator of the studio. It works once.</p>`
    }
${form({
  action: '/users/register',
  csrfToken: csrfTokenFor(exchange, exchange.viewer),
  fields: [
    html`${setupToken !== null && html`<input type="hidden" name="setup" value="${setupToken}">`}<input type="hidden" name="return_to" value="${returnTo}">`,
    field({
      name: 'user[email]',
      label: 'Email',
      type: 'email',
      autocomplete: 'username',
      value: email,
      errors: errors?.['email'],
      maxLength: 160,
    }),
    field({
      name: 'user[password]',
      label: 'Password',
      type: 'password',
      autocomplete: 'new-password',
      hint: `At least ${passwordBounds.min} characters. A passphrase of unrelated terms works well.`,
      errors: errors?.['password'],
      minLength: passwordBounds.min,
      maxLength: passwordBounds.max,
    }),
  ],
  submit: setupToken === null ? 'Register' : 'Create the administrator',
  look: 'primary',
})}
<p class="note">Have an account? <a href="${logInPath(returnTo)}">Log in</a></p>`,
  });
}

function refuse(exchange: PageExchange, why: 'closed' | 'setup_link'): FastifyReply {
  const body =
    why === 'closed'
      ? html`<p>Registration is closed. Ask the operator of this studio to create an account for you, or to open registration (<code>REGISTRATION=open</code>). On a new installation, open the set-up link that the service printed when it started.</p>`
      : html`<p>This set-up link has been used, or an administrator exists already.</p>`;
  return sendPlainPage(exchange.reply, 403, {
    title: why === 'closed' ? 'Registration is closed' : 'The link is no longer valid',
    body: html`${body}
<p class="note"><a href="/users/log-in">Log in</a></p>`,
  });
}
