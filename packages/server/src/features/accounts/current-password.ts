import type { ErrorDetails } from '@stem-studio/contract/errors';
import { checkbox, field } from '../../platform/http/form-fields.ts';
import { type Html, html } from '../../platform/http/html.ts';

/**
 * Renders the field for the current password, required before any change to the login. Each form passes its name, so
 * that ids stay unique on a page with several forms.
 */
export function currentPassword(formName: string, errors: ErrorDetails | undefined): Html {
  return field({
    id: `${formName}-current-password`,
    name: 'current_password',
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
    errors: errors?.['current_password'],
  });
}

/** Renders the checkbox `revoke_keys`, which revokes all API keys together with the logins. */
export function revokeKeysChoice(formName: string): Html {
  return html`<div class="field">${checkbox({
    id: `${formName}-revoke-keys`,
    name: 'revoke_keys',
    label: 'Also revoke all API keys',
    isChecked: false,
  })}</div>`;
}
