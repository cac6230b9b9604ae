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
import { revokeKeysChoice } from './current-password.ts';
import { type PageExchange, queryField } from './exchange.ts';
import { rememberBrowser } from './known-browser.ts';
import { mountForm, mountPage } from './page-routes.ts';
import { resetPassword, userOfResetToken } from './reset.service.ts';

const resetPath = '/users/reset';

/** Mounts the form that sets a new password under a one-time link. */
export function mountResetPages(app: FastifyInstance, context: Context): void {
  mountPage(app, context, resetPath, async (exchange) => {
    const token = queryField(exchange, 'token') ?? '';
    const user = await userOfResetToken(context, token);
    return user ? show(exchange, 200, { token, email: user.email }) : refuse(exchange);
  });

  mountForm(app, context, resetPath, {
    POST: async (exchange) => {
      const { request, reply, fields } = exchange;
      await enforceRateLimit(context, request, reply, 'login', `address:${networkOf(request.ip)}`);
      const token = fields['token'] ?? '';
      const result = await resetPassword(context, {
        token,
        password: fields['user[password]'] ?? '',
        userAgent: request.headers['user-agent'] ?? '',
        revokesKeys: fields['revoke_keys'] !== undefined,
      });
      if (result === null) return refuse(exchange);
      if ('errors' in result) return show(exchange, 422, { token, errors: result.errors });
      setLoginCookie(exchange, result.token);
      rememberBrowser(exchange, result.email);
      return reply.redirect('/', 303);
    },
  });
}

function show(
  exchange: PageExchange,
  status: number,
  { token, email, errors }: { token: string; email?: string; errors?: ErrorDetails },
): FastifyReply {
  return sendPlainPage(exchange.reply, status, {
    title: 'Choose a new password',
    body: html`${email !== undefined && html`<p>For ${email}. Everywhere else you will be logged out.</p>`}
${form({
  action: resetPath,
  csrfToken: csrfTokenFor(exchange, exchange.viewer),
  fields: [
    html`<input type="hidden" name="token" value="${token}">`,
    field({
      name: 'user[password]',
      label: 'New password',
      type: 'password',
      autocomplete: 'new-password',
      hint: `At least ${passwordBounds.min} characters. A passphrase of unrelated terms works well.`,
      errors: errors?.['password'],
      minLength: passwordBounds.min,
      maxLength: passwordBounds.max,
    }),
    revokeKeysChoice('reset'),
  ],
  submit: 'Change the password',
  look: 'primary',
})}`,
  });
}

function refuse(exchange: PageExchange): FastifyReply {
  return sendPlainPage(exchange.reply, 403, {
    title: 'The link is no longer valid',
    body: html`<p>This link was used already or has expired. Ask the operator of this studio for another one.</p>
<p class="note"><a href="/users/log-in">Log in</a></p>`,
  });
}
