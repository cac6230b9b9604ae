import type { ErrorDetails } from '@stem-studio/contract/errors';
import { passwordBounds } from '@stem-studio/contract/resources/user';
import { alertOf, field, form } from '../../platform/http/form-fields.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { showUsage } from '../quotas/index.ts';
import { keyLifetimes, type NewApiKey } from './api-keys.service.ts';
import type { ApiKeyRow } from './api-keys.store.ts';
import { firstPasswordSection } from './catalog-login/first-password.pages.ts';
import { dataSection, type LoginSections, loginsSection } from './login-sections.ts';
import { moment } from './moment.ts';
import { storageSection } from './storage-section.ts';

/** What the last step on the settings page left to show. */
export interface SettingsState {
  readonly alert?: string;
  readonly emailForm?: { readonly email: string; readonly errors: ErrorDetails };
  readonly passwordForm?: { readonly errors: ErrorDetails };
  readonly keyForm?: { readonly name: string; readonly errors: ErrorDetails };
  readonly newKey?: NewApiKey;
}

interface Settings extends LoginSections {
  readonly email: string;
  /** False for who came by the catalog and has chosen none. */
  readonly hasPassword: boolean;
  /** The section about the linked catalog account, where there can be one. */
  readonly catalog: Html | null;
  /** The section about the user's key at the cloud service. */
  readonly cloud: Html;
  /** What the user stores and may store. */
  readonly usage: Awaited<ReturnType<typeof showUsage>>;
  readonly keys: readonly ApiKeyRow[];
  readonly now: Date;
  readonly state: SettingsState;
}

/** Draws the settings. */
export function settingsBody(of: Settings): Html {
  return html`${alertOf(of.state.alert)}
<p><a href="/">Back to the studio</a></p>
${of.hasPassword ? [emailSection(of), passwordSection(of)] : firstPasswordSection(of.csrfToken)}
${of.catalog}
${of.cloud}
${keysSection(of)}
${storageSection(of.usage)}
${loginsSection(of)}
${dataSection}`;
}

/** Asked for before anything about the login changes; on the page twice, so each has an id of its own. */
function currentPassword(formName: string, errors: ErrorDetails | undefined): Html {
  return field({
    id: `${formName}-current-password`,
    name: 'current_password',
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
    errors: errors?.['current_password'],
  });
}

function emailSection({ email, csrfToken, state: { emailForm } }: Settings): Html {
  return html`<section id="email">
<h2>Email</h2>
${form({
  action: '/users/settings#email',
  method: 'PUT',
  csrfToken,
  fields: [
    html`<input type="hidden" name="action" value="email">`,
    field({
      name: 'user[email]',
      label: 'Email',
      type: 'email',
      autocomplete: 'username',
      value: emailForm?.email ?? email,
      errors: emailForm?.errors['email'],
      maxLength: 160,
    }),
    currentPassword('email', emailForm?.errors),
  ],
  submit: 'Change email',
})}
</section>`;
}

function passwordSection({ email, csrfToken, state: { passwordForm } }: Settings): Html {
  return html`<section id="password">
<h2>Password</h2>
${form({
  action: '/users/settings#password',
  method: 'PUT',
  csrfToken,
  fields: [
    // So that a password manager knows whose password changes.
    html`<input type="hidden" name="action" value="password"><input type="text" name="username" value="${email}" autocomplete="username" readonly hidden>`,
    field({
      name: 'user[password]',
      label: 'New password',
      type: 'password',
      autocomplete: 'new-password',
      hint: `${passwordBounds.min} characters or more. Every other browser is logged out; API keys stay.`,
      errors: passwordForm?.errors['password'],
      minLength: passwordBounds.min,
      maxLength: passwordBounds.max,
    }),
    currentPassword('password', passwordForm?.errors),
  ],
  submit: 'Change password',
})}
</section>`;
}

function keysSection(of: Settings): Html {
  const { keyForm, newKey } = of.state;
  return html`<section id="api-keys">
<h2>API keys</h2>
<p class="hint">A key lets a program act as you: <code>Authorization: Bearer sst_…</code></p>
${
  newKey &&
  html`<div class="flash" role="status">
<label for="new-key">Your new key. Copy it now: it is shown only once.</label>
<textarea id="new-key" class="key" rows="2" readonly spellcheck="false">${newKey.key}</textarea>
</div>`
}
${
  of.keys.length > 0
    ? html`<ul class="keys">${of.keys.map((key) => keyItem(key, of))}</ul>`
    : html`<p class="empty">You have no API keys.</p>`
}
<h3>New key</h3>
${form({
  action: '/users/settings/api-keys#api-keys',
  csrfToken: of.csrfToken,
  fields: [
    field({
      name: 'name',
      label: 'Name',
      type: 'text',
      autocomplete: 'off',
      value: keyForm?.name,
      hint: 'What will use it.',
      errors: keyForm?.errors['name'],
      maxLength: 100,
    }),
    html`<div class="field"><label for="days">Runs out</label>
<select id="days" name="days">${keyLifetimes.map(
      (days) =>
        html`<option value="${days ?? 'never'}"${days === 90 && html` selected`}>${days === null ? 'never' : `after ${days} days`}</option>`,
    )}</select></div>`,
  ],
  submit: 'Create key',
})}
</section>`;
}

function keyItem(key: ApiKeyRow, { csrfToken, now }: Settings): Html {
  const hasRunOut = key.expires_at !== null && key.expires_at <= now;
  return html`<li>
<div>
<strong>${key.name}</strong> <code>${key.prefix}…</code>
<dl>
<div><dt>Created</dt><dd>${moment(key.created_at)}</dd></div>
<div><dt>Last used</dt><dd>${key.last_used_at ? moment(key.last_used_at) : 'never'}</dd></div>
<div><dt>${hasRunOut ? 'Ran out' : 'Runs out'}</dt><dd>${key.expires_at ? moment(key.expires_at) : 'never'}</dd></div>
</dl>
</div>
${form({
  action: `/users/settings/api-keys/${key.id}`,
  method: 'DELETE',
  csrfToken,
  fields: [],
  submit: 'Revoke',
  submitLabel: `Revoke ${key.name}`,
  isDanger: true,
})}
</li>`;
}
