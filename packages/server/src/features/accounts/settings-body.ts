import type { ErrorDetails } from '@stem-studio/contract/errors';
import { passwordBounds } from '@stem-studio/contract/resources/user';
import { hasRole, type Role } from '@stem-studio/contract/roles';
import { alertOf, field, form } from '../../platform/http/form-fields.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { ContentsEntry } from '../../platform/http/plain-page.ts';
import type { showUsage } from '../quotas/index.ts';
import type { NewApiKey } from './api-keys.service.ts';
import type { ApiKeyRow } from './api-keys.store.ts';
import { firstPasswordSection } from './catalog-login/first-password.pages.ts';
import { currentPassword, revokeKeysChoice } from './current-password.ts';
import { keysSection } from './keys-section.ts';
import { dataSection, type LoginSections, loginsSection } from './login-sections.ts';
import { storageSection } from './storage-section.ts';

/** Result of the last action on the settings page, to be shown. */
export interface SettingsState {
  readonly alert?: string;
  readonly emailForm?: { readonly email: string; readonly errors: ErrorDetails };
  readonly passwordForm?: { readonly errors: ErrorDetails };
  readonly keyForm?: {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly errors: ErrorDetails;
  };
  readonly newKey?: NewApiKey;
}

interface Settings extends LoginSections {
  readonly email: string;
  readonly role: Role;
  /** False for users of the catalog who have set none. */
  readonly hasPassword: boolean;
  /** Section of the user's connections to other services. */
  readonly connections: Html;
  /** Used storage and quota of the user. */
  readonly usage: Awaited<ReturnType<typeof showUsage>>;
  readonly keys: readonly ApiKeyRow[];
  readonly now: Date;
  readonly state: SettingsState;
}

/** Returns the sections of the settings page in their order, for its table of contents. */
export function settingsContents(role: Role, hasPassword: boolean): ContentsEntry[] {
  return [
    ...(hasPassword ? [{ id: 'email', label: 'Email' }] : []),
    { id: 'password', label: hasPassword ? 'Password' : 'Email and password' },
    { id: 'connections', label: 'Connections' },
    { id: 'api-keys', label: 'API keys' },
    { id: 'storage', label: 'Storage' },
    ...(hasRole(role, 'admin') ? [{ id: 'networks', label: 'Separation networks' }] : []),
    { id: 'logins', label: 'Logged in' },
    { id: 'data', label: 'Your data' },
  ];
}

/** Renders the settings page. */
export function settingsBody(of: Settings): Html {
  return html`${alertOf(of.state.alert)}
${of.hasPassword ? [emailSection(of), passwordSection(of)] : firstPasswordSection(of.csrfToken)}
${of.connections}
${keysSection({ ...of, newKey: of.state.newKey, keyForm: of.state.keyForm })}
${storageSection(of.usage)}
${hasRole(of.role, 'admin') && networksSection}
${loginsSection(of)}
${dataSection}`;
}

/** Link to the networks that admins may download, which need the page with JavaScript. */
const networksSection = html`<section id="networks">
<h2>Separation networks</h2>
<p>Trained networks that this studio can download, for all of its users.</p>
<p><a href="/?tab=networks">Show the networks</a></p>
</section>`;

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
    // Tells password managers which account's password changes.
    html`<input type="hidden" name="action" value="password"><input type="text" name="username" value="${email}" autocomplete="username" readonly hidden>`,
    field({
      name: 'user[password]',
      label: 'New password',
      type: 'password',
      autocomplete: 'new-password',
      hint: `${passwordBounds.min} characters or more. Every other browser is logged out.`,
      errors: passwordForm?.errors['password'],
      minLength: passwordBounds.min,
      maxLength: passwordBounds.max,
    }),
    currentPassword('password', passwordForm?.errors),
    revokeKeysChoice('password'),
  ],
  submit: 'Change password',
})}
</section>`;
}
