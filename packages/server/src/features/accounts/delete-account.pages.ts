import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { alertOf, field, form } from '../../platform/http/form-fields.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { sendPlainPage } from '../../platform/http/plain-page.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { findUser } from '../users/index.ts';
import { clearCookie } from './cookies.ts';
import { countPasswordAttempt } from './count-attempt.ts';
import { csrfTokenFor } from './csrf.ts';
import { deleteAccount, isLastPlatformAdmin } from './delete-account.service.ts';
import type { PageExchange } from './exchange.ts';
import { leaveFlash } from './flash.ts';
import { loggedIn, mountForm, mountPage } from './page-routes.ts';

const deletePath = '/users/settings/delete';

/** Mounts the page that lists what is deleted with an account and asks for confirmation. */
export function mountDeleteAccountPages(app: FastifyInstance, context: Context): void {
  mountPage(
    app,
    context,
    deletePath,
    loggedIn(deletePath, (exchange, viewer) => show(exchange, viewer, 200, {})),
  );

  mountForm(app, context, deletePath, {
    DELETE: loggedIn(deletePath, async (exchange, viewer) => {
      const wait = await countPasswordAttempt(exchange, viewer.id);
      if (wait) return await show(exchange, viewer, 429, { alert: wait });
      const confirmation = exchange.fields['confirmation'] ?? '';
      const refusal = await deleteAccount(context, viewer.id, { confirmation });
      if (refusal !== null) return await show(exchange, viewer, 422, { isWrong: refusal === 'confirmation' });
      clearCookie(exchange, 'login');
      clearCookie(exchange, 'known');
      leaveFlash(exchange, 'account-deleted');
      return exchange.reply.redirect('/users/log-in', 303);
    }),
  });
}

async function show(
  exchange: PageExchange,
  viewer: Viewer,
  status: number,
  { alert, isWrong }: { readonly alert?: string; readonly isWrong?: boolean },
): Promise<FastifyReply> {
  const { context } = exchange;
  const isLast = await context.db.transaction().execute((tx) => isLastPlatformAdmin(tx, viewer.id));
  return sendPlainPage(exchange.reply, status, {
    title: 'Delete your account',
    body: html`${alertOf(alert)}
${isLast ? lastAdmin : [whatGoes, await confirmation(exchange, viewer, isWrong ?? false)]}
<p class="note"><a href="/users/settings">Back to the settings</a></p>`,
  });
}

const lastAdmin = html`<p role="alert" class="alert">This is the last platform_admin. Without one, nobody can change roles. The operator of the studio must appoint another one first: <code>studio user role EMAIL platform_admin</code>.</p>`;

const whatGoes = html`<p>This takes effect immediately and cannot be undone:</p>
<ul>
<li>your tracks are deleted with their stems, analyses and jobs, including waiting and running ones;</li>
<li>your audio files are deleted. Audio that another user of this studio has imported too stays theirs;</li>
<li>your API keys stop working, and every browser is logged out.</li>
</ul>
<p>The audit log keeps one entry: the number of the account and the time of the deletion. It does not contain your email address.</p>
<p><a href="/export/account" download>Export your data</a> first if you want to keep it.</p>`;

async function confirmation(exchange: PageExchange, viewer: Viewer, isWrong: boolean): Promise<Html> {
  const hasPassword = (await findUser(exchange.context.db, viewer.id))?.password_hash !== null;
  const errors = isWrong ? ['is wrong'] : undefined;
  return form({
    action: deletePath,
    method: 'DELETE',
    csrfToken: csrfTokenFor(exchange, viewer),
    fields: [
      hasPassword
        ? field({
            name: 'confirmation',
            label: 'Current password',
            type: 'password',
            autocomplete: 'current-password',
            errors,
          })
        : field({
            name: 'confirmation',
            label: 'Your email address',
            type: 'email',
            autocomplete: 'off',
            hint: `You have no password here: type ${viewer.email} instead.`,
            errors,
          }),
    ],
    submit: 'Delete my account for good',
    look: 'danger',
  });
}
