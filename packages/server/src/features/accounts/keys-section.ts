import type { ErrorDetails } from '@stem-studio/contract/errors';
import type { Role } from '@stem-studio/contract/roles';
import { type ApiScope, apiFeatures, apiScopes } from '@stem-studio/contract/scopes';
import { checkbox, field, form } from '../../platform/http/form-fields.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { keyLifetimes, type NewApiKey, usualKeyDays } from './api-keys.service.ts';
import type { ApiKeyRow } from './api-keys.store.ts';
import { freshMinutes } from './confirm-identity.ts';
import { currentPassword } from './current-password.ts';
import { moment } from './moment.ts';

/** Data of the section about API keys. */
export interface KeysSection {
  readonly csrfToken: string;
  readonly hasPassword: boolean;
  readonly role: Role;
  readonly keys: readonly ApiKeyRow[];
  readonly now: Date;
  readonly newKey: NewApiKey | undefined;
  readonly keyForm:
    | { readonly name: string; readonly scopes: readonly string[]; readonly errors: ErrorDetails }
    | undefined;
}

const wideScopes: Readonly<Record<'read' | 'write' | 'admin', string>> = {
  read: 'Read all your data',
  write: 'Read and change all your data',
  admin: 'Administration: everything your role allows',
};

const featureLabels: Readonly<Record<(typeof apiFeatures)[number], string>> = {
  account: 'Account',
  catalog: 'Catalog and imports',
  tracks: 'Tracks and uploads',
  jobs: 'Jobs',
  processing: 'Stem separation',
  analysis: 'Analysis, grids, cues, notes',
  exports: 'Exports',
};

/** Returns the checkbox name of a scope in the form of a new key. */
function fieldOf(scope: ApiScope): string {
  return `scope[${scope}]`;
}

/** Returns the ticked scopes in the form of a new key. */
export function tickedScopes(fields: Readonly<Record<string, string | undefined>>): ApiScope[] {
  return apiScopes.filter((scope) => fields[fieldOf(scope)] !== undefined);
}

function scopeFields({ role, keyForm }: KeysSection): Html {
  const ticked: readonly string[] = keyForm?.scopes ?? ['read'];
  const box = (scope: ApiScope, label: string) =>
    checkbox({ name: fieldOf(scope), label, isChecked: ticked.includes(scope) });
  const wide = (['read', 'write', ...(role === 'user' ? [] : (['admin'] as const))] as const).map((scope) =>
    box(scope, wideScopes[scope]),
  );
  const hasNarrow = ticked.some((scope) => scope.includes(':'));
  const errors = keyForm?.errors['scopes'];
  return html`<fieldset${errors && html` aria-describedby="scopes-error"`}>
<legend>Scopes</legend>
${wide}
<details${hasNarrow && html` open`}><summary>Only some parts</summary>
<p class="hint">Clear the boxes above: a key may do everything that is ticked.</p>
<ul class="scopes">${apiFeatures.map(
    (name) =>
      html`<li><span>${featureLabels[name]}</span>${(['read', 'write'] as const).map((action) => {
        const scope = apiScopes.find((known) => known === `${name}:${action}`);
        return scope && box(scope, action === 'read' ? 'Read' : 'Change');
      })}</li>`,
  )}</ul>
</details>
${errors && html`<p class="error" id="scopes-error">Scopes ${errors.join('; ')}.</p>`}
</fieldset>`;
}

/** Renders the API keys of a user and the form of a new one. */
export function keysSection(of: KeysSection): Html {
  const { keyForm, newKey } = of;
  const daysErrors = keyForm?.errors['days'];
  return html`<section id="api-keys">
<h2>API keys</h2>
<p class="hint">A key lets a program act as you, within its scopes: <code>Authorization: Bearer sst_…</code></p>
${
  newKey &&
  html`<div class="flash" role="status">
<label for="new-key">Your new key. Copy it now: it is shown only once.</label>
<textarea id="new-key" class="key" rows="2" readonly spellcheck="false">${newKey.key}</textarea>
<button type="button" data-copy="new-key" aria-live="polite" hidden>Copy</button>
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
    scopeFields(of),
    html`<div class="field"><label for="days">Expires</label>
<select id="days" name="days"${daysErrors && html` aria-invalid="true" aria-describedby="days-error"`}>${keyLifetimes.map(
      (days) =>
        html`<option value="${days ?? 'never'}"${days === usualKeyDays && html` selected`}>${days === null ? 'never' : `after ${days} days`}</option>`,
    )}</select>${daysErrors && html`<p class="error" id="days-error">Expires ${daysErrors.join('; ')}.</p>`}</div>`,
    of.hasPassword
      ? currentPassword('key', keyForm?.errors)
      : html`<p class="hint">You have no password here: a key can be created within ${freshMinutes} minutes after logging in.</p>`,
  ],
  submit: 'Create key',
  look: 'primary',
})}
</section>`;
}

function keyItem(key: ApiKeyRow, { csrfToken, now }: KeysSection): Html {
  const hasExpired = key.expires_at !== null && key.expires_at <= now;
  return html`<li>
<div>
<strong>${key.name}</strong> <code>${key.prefix}…</code>
<dl>
<div><dt>Scopes</dt><dd>${key.scopes?.join(', ') ?? 'unlimited (made before keys had scopes)'}</dd></div>
<div><dt>Created</dt><dd>${moment(key.created_at)}</dd></div>
<div><dt>Last used</dt><dd>${key.last_used_at ? moment(key.last_used_at) : 'never'}</dd></div>
<div><dt>${hasExpired ? 'Expired' : 'Expires'}</dt><dd>${key.expires_at ? moment(key.expires_at) : 'never'}</dd></div>
</dl>
</div>
${form({
  action: `/users/settings/api-keys/${key.id}`,
  method: 'DELETE',
  csrfToken,
  fields: [],
  submit: 'Revoke',
  submitLabel: `Revoke ${key.name}`,
  look: 'danger',
})}
</li>`;
}
