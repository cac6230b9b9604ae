import type { ErrorDetails } from '@stem-studio/contract/errors';
import { checkbox, field } from '../../platform/http/form-fields.ts';
import { type Html, html } from '../../platform/http/html.ts';

/**
 * Draws the field for the current password, which is asked for before anything about the login changes. A page may have
 * it in several forms, so each has an id of its own.
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

/** Draws the choice whether all API keys are revoked together with the logins; its field is `revoke_keys`. */
export function revokeKeysChoice(formName: string): Html {
  return html`<div class="field">${checkbox({
    id: `${formName}-revoke-keys`,
    name: 'revoke_keys',
    label: 'Also revoke all API keys',
    isChecked: false,
  })}</div>`;
}
