import { form } from '../../../platform/http/form-fields.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { findConnection } from '../../connections/index.ts';
import { testForm } from '../connections/test-form.ts';
import { csrfTokenFor } from '../csrf.ts';
import type { Exchange } from '../exchange.ts';
import { moment } from '../moment.ts';
import { hasCatalogLogin } from './catalog-address.ts';
import { linkTokenFor } from './catalog-login.service.ts';

/** Path of the settings page, which contains this section. */
export const settingsPath = '/users/settings';
/** Path of the form that unlinks the catalog account. */
export const unlinkPath = '/users/settings/catalog';

/**
 * Renders the button to log in by the catalog; null if it is not configured. Used by the log-in and registration
 * pages.
 */
export function catalogButton({ context }: Exchange): Html | null {
  if (!hasCatalogLogin(context.config)) return null;
  return html`<p><a class="button quiet" href="/auth/catalog">Log in with the catalog</a></p>`;
}

/** Renders the user's linked catalog account; null if none is linked and linking is not available. */
export async function catalogSection(exchange: Exchange, viewer: Viewer): Promise<Html | null> {
  const { context } = exchange;
  const row = await findConnection(context.db, viewer.id, 'web_catalog');
  const isOpen = hasCatalogLogin(context.config);
  if (!row && !isOpen) return null;
  const address = `/auth/catalog?link=${encodeURIComponent(linkTokenFor(context, viewer))}`;
  const button = (text: string) =>
    isOpen && html`<p><a class="button quiet" href="${address}">${text}</a></p>`;
  return html`<section id="catalog">
<h3>Catalog account</h3>
${
  row
    ? html`${row.needs_sign_in && html`<p class="alert" role="alert">The catalog wants you to sign in again. Until then your own playlists there cannot be read.</p>`}
<p><strong>${row.label}</strong> is linked since ${moment(row.connected_at)}.</p>
<p class="hint">You can log in with it, and import your own playlists.</p>
${row.needs_sign_in && button('Sign in again')}
${isOpen && testForm(exchange, viewer, 'web_catalog', 'catalog account')}
${form({
  action: unlinkPath,
  method: 'DELETE',
  csrfToken: csrfTokenFor(exchange, viewer),
  fields: [],
  submit: 'Unlink',
  submitLabel: `Unlink ${row.label}`,
  look: 'danger',
})}`
    : html`<p class="hint">Linked, you can log in with it, and import your own playlists.</p>
${button('Link a catalog account')}`
}
</section>`;
}
