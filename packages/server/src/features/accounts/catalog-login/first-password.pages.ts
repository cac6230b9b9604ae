import type { ErrorDetails } from '@stem-studio/contract/errors';
import { passwordBounds } from '@stem-studio/contract/resources/user';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { alertOf, field, form } from '../../../platform/http/form-fields.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import { sendPlainPage } from '../../../platform/http/plain-page.ts';
import { setLoginCookie } from '../cookies.ts';
import { countPasswordAttempt } from '../count-attempt.ts';
import { csrfTokenFor } from '../csrf.ts';
import { leaveFlash } from '../flash.ts';
import { loggedIn, mountForm } from '../page-routes.ts';
import { setFirstPassword } from './first-password.service.ts';

const settingsPath = '/users/settings';
const formPath = '/users/settings/first-password';

const old =
  'A first password can be chosen within fifteen minutes after logging in. Log out, log in with the catalog, and come back.';

/** Mounts the form by which a user who registered by the catalog sets a password. */
export function mountFirstPasswordForm(app: FastifyInstance, context: Context): void {
  mountForm(app, context, formPath, {
    POST: loggedIn(settingsPath, async (exchange, viewer) => {
      const { fields, request, reply } = exchange;
      const email = fields['user[email]'] ?? '';
      const refuse = (status: number, state: { alert?: string; errors?: ErrorDetails }) =>
        sendPlainPage(reply, status, {
          title: 'Choose a password',
          body: html`${alertOf(state.alert)}
${firstPasswordForm(csrfTokenFor(exchange, viewer), { email, ...state })}
<p class="note"><a href="${settingsPath}">Back to the settings</a></p>`,
        });
      const wait = await countPasswordAttempt(exchange, viewer.id);
      if (wait) return refuse(429, { alert: wait });
      const result = await setFirstPassword(context, viewer, {
        email,
        password: fields['user[password]'] ?? '',
        userAgent: request.headers['user-agent'] ?? '',
      });
      if (result === null) return reply.redirect(settingsPath, 303);
      if (result === 'old') return refuse(403, { alert: old });
      if ('errors' in result) return refuse(422, { errors: result.errors });
      setLoginCookie(exchange, result.token);
      leaveFlash(exchange, 'password-changed');
      return reply.redirect(settingsPath, 303);
    }),
  });
}

function firstPasswordForm(csrfToken: string, of: { email?: string; errors?: ErrorDetails }): Html {
  return form({
    action: formPath,
    csrfToken,
    fields: [
      field({
        name: 'user[email]',
        label: 'Email',
        type: 'email',
        autocomplete: 'username',
        value: of.email,
        errors: of.errors?.['email'],
        maxLength: 160,
      }),
      field({
        name: 'user[password]',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        hint: `${passwordBounds.min} characters or more.`,
        errors: of.errors?.['password'],
        minLength: passwordBounds.min,
        maxLength: passwordBounds.max,
      }),
    ],
    submit: 'Set email and password',
  });
}

/** Renders the section of the settings page for users without a password, in place of changing email and password. */
export function firstPasswordSection(csrfToken: string): Html {
  return html`<section id="password">
<h2>Email and password</h2>
<p class="hint">You logged in with the catalog and have neither here. With both you can also log in without it.</p>
${firstPasswordForm(csrfToken, {})}
</section>`;
}
