import { form } from '../../platform/http/form-fields.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { browserName } from './browser-name.ts';
import { revokeKeysChoice } from './current-password.ts';
import type { LogInNotice } from './failed-log-ins.store.ts';
import { describeFailures } from './failed-log-ins.ts';
import type { LoginSessionRow } from './login-sessions.store.ts';
import { moment } from './moment.ts';

/** Data of the sections about logins and about the whole account. */
export interface LoginSections {
  readonly csrfToken: string;
  /** Logins of the user, most recently used first. */
  readonly logins: readonly LoginSessionRow[];
  /** Login of the requesting browser. */
  readonly currentId: string | null;
  /** Failed log-ins before the current one. */
  readonly failures: LogInNotice | null;
}

/** Renders the user's logins and both log-out buttons. */
export function loginsSection({ csrfToken, logins, currentId, failures }: LoginSections): Html {
  return html`<section id="logins">
<h2>Logged in</h2>
${failures && html`<p class="hint">Before you logged in here: ${describeFailures(failures)}</p>`}
<ul class="keys">${logins.map(
    (login) => html`<li><div>
<strong>${browserName(login.user_agent)}</strong>${login.id === currentId && html` (this browser)`}
<dl>
<div><dt>Since</dt><dd>${moment(login.created_at)}</dd></div>
<div><dt>Last renewed</dt><dd>${moment(login.last_seen_at)}</dd></div>
</dl>
</div></li>`,
  )}</ul>
${form({ action: '/users/log-out', method: 'DELETE', csrfToken, fields: [], submit: 'Log out' })}
${form({ action: '/users/log-out/everywhere', method: 'DELETE', csrfToken, fields: [revokeKeysChoice('everywhere')], submit: 'Log out everywhere' })}
<p class="hint">Everywhere: all browsers at once, this one too. API keys stay unless you tick the box.</p>
</section>`;
}

/** Section with the data export and the deletion of the account. */
export const dataSection: Html = html`<section id="data">
<h2>Your data</h2>
<p><a href="/export/account" download>Export my data</a></p>
<p class="hint">A ZIP with your account, tracks, jobs, analyses and the names of your API keys as JSON, and links to the audio. Never a password or a key.</p>
<p><a href="/users/settings/delete">Delete my account</a></p>
</section>`;
