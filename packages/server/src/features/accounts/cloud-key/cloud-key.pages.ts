import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { alertOf, field, form } from '../../../platform/http/form-fields.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { deleteCloudKey, describeCloudKey, saveCloudKey } from '../../cloudsep/index.ts';
import { testForm } from '../connections/test-form.ts';
import { countPasswordAttempt } from '../count-attempt.ts';
import { csrfTokenFor } from '../csrf.ts';
import type { Exchange, PageExchange } from '../exchange.ts';
import { leaveFlash } from '../flash.ts';
import { moment } from '../moment.ts';
import { loggedIn, mountForm } from '../page-routes.ts';

const settingsPath = '/users/settings';
const keyPath = `${settingsPath}/cloud-key`;

/** Result of the last action on the key, to be shown on the page. */
export interface CloudKeyState {
  readonly alert?: string;
  readonly errors?: readonly string[];
}

/** Renders the section of the user's own cloud service key: whether one is stored, and only its last characters. */
export async function cloudSection(
  exchange: Exchange,
  viewer: Viewer,
  { alert, errors }: CloudKeyState = {},
): Promise<Html> {
  const { context } = exchange;
  const key = await describeCloudKey(context, viewer.id);
  const csrfToken = csrfTokenFor(exchange, viewer);
  const isSystem = context.config.cloudsep.key !== null;
  return html`<section id="cloud">
<h3>Cloud separation</h3>
${alertOf(alert)}
${
  key
    ? html`<p>Your key ending in <code>${key.hint}</code> was added on ${moment(key.created_at)}.</p>
<p class="hint">Songs that you separate with the cloud engine are sent to the cloud service. Their minutes are charged to this key.</p>
${testForm(exchange, viewer, 'cloud_separation', 'cloud key')}
${form({ action: `${keyPath}#cloud`, method: 'DELETE', csrfToken, fields: [], submit: 'Delete key', look: 'danger' })}`
    : html`<p class="hint">${
        isSystem
          ? 'All users share the key of this studio. Add your own key to pay for your separations with it.'
          : 'With a licence key, the cloud service separates songs into up to ten stems. Minutes cost money; the price is shown before each separation.'
      }</p>`
}
${form({
  action: `${keyPath}#cloud`,
  csrfToken,
  fields: [
    field({
      name: 'license_key',
      label: key ? 'Another key' : 'Licence key',
      type: 'password',
      autocomplete: 'off',
      hint: 'It is kept encrypted and never shown again.',
      errors,
      minLength: 8,
      maxLength: 200,
    }),
  ],
  submit: key ? 'Replace the key' : 'Save the key',
})}
</section>`;
}

/**
 * Mounts the form of the cloud service key.
 *
 * @param show renders the settings page with errors
 */
export function mountCloudKeyForm(
  app: FastifyInstance,
  context: Context,
  show: (
    exchange: PageExchange,
    viewer: Viewer,
    status: number,
    state: CloudKeyState,
  ) => Promise<FastifyReply>,
): void {
  mountForm(app, context, keyPath, {
    POST: loggedIn(settingsPath, async (exchange, viewer) => {
      // The service confirms whether a key is valid, so attempts are limited.
      const wait = await countPasswordAttempt(exchange, viewer.id);
      if (wait) return await show(exchange, viewer, 429, { alert: wait });
      const saved = await saveCloudKey(context, viewer.id, exchange.fields['license_key'] ?? '');
      if (saved.kind === 'refused') return await show(exchange, viewer, 422, { errors: [saved.why] });
      leaveFlash(exchange, saved.minutesLeft === null ? 'cloud-key-unseen' : 'cloud-key-saved');
      return exchange.reply.redirect(`${settingsPath}#cloud`, 303);
    }),
    DELETE: loggedIn(settingsPath, async (exchange, viewer) => {
      if (await deleteCloudKey(context, viewer.id)) leaveFlash(exchange, 'cloud-key-removed');
      return exchange.reply.redirect(`${settingsPath}#cloud`, 303);
    }),
  });
}
