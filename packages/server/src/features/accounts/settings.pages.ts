import type { ErrorDetails } from '@stem-studio/contract/errors';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { sendPlainPage } from '../../platform/http/plain-page.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { showUsage } from '../quotas/index.ts';
import { findUser } from '../users/index.ts';
import { createApiKey, deleteApiKey, errorsOfKeyRequest, keyLifetimeText } from './api-keys.service.ts';
import { listApiKeys } from './api-keys.store.ts';
import { type CloudKeyState, mountCloudKeyForm } from './cloud-key/cloud-key.pages.ts';
import { confirmIdentity, freshMinutes } from './confirm-identity.ts';
import { connectionsSection, mountConnectionForms } from './connections/connections.pages.ts';
import { setLoginCookie } from './cookies.ts';
import { countPasswordAttempt } from './count-attempt.ts';
import { csrfTokenFor } from './csrf.ts';
import type { PageExchange } from './exchange.ts';
import { findLogInNotice } from './failed-log-ins.store.ts';
import { leaveFlash, takeFlash } from './flash.ts';
import { tickedScopes } from './keys-section.ts';
import { rememberBrowser } from './known-browser.ts';
import { listLoginSessions } from './login-sessions.store.ts';
import { loggedIn, mountForm, mountPage } from './page-routes.ts';
import { changeEmail, changePassword } from './settings.service.ts';
import { type SettingsState, settingsBody, settingsContents } from './settings-body.ts';

const settingsPath = '/users/settings';
const oldLogin = `You have no password here, so an API key can only be created within ${freshMinutes} minutes after logging in. Nothing was created. Log out, log in with the catalog, and come back.`;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Mounts the settings page: email, password, API keys and logins. */
export function mountSettingsPages(app: FastifyInstance, context: Context): void {
  mountPage(
    app,
    context,
    settingsPath,
    loggedIn(settingsPath, (exchange, viewer) => show(exchange, viewer, 200, {})),
  );

  mountForm(app, context, settingsPath, {
    PUT: loggedIn(settingsPath, async (exchange, viewer) => {
      const wait = await countPasswordAttempt(exchange, viewer.id);
      if (wait) return await show(exchange, viewer, 429, { alert: wait });
      return exchange.fields['action'] === 'password'
        ? await putPassword(exchange, viewer)
        : await putEmail(exchange, viewer);
    }),
  });

  mountCloudKeyForm(app, context, (exchange, viewer, status, cloudKey) =>
    show(exchange, viewer, status, {}, cloudKey),
  );

  mountConnectionForms(app, context, (exchange, viewer, status, alert) =>
    show(exchange, viewer, status, { alert }),
  );

  mountForm(app, context, `${settingsPath}/api-keys`, {
    POST: loggedIn(settingsPath, async (exchange, viewer) => {
      const { fields } = exchange;
      const days = fields['days'] === 'never' ? null : Number(fields['days'] || Number.NaN);
      const name = fields['name'] ?? '';
      const scopes = tickedScopes(fields);
      const refuse = (status: number, errors: ErrorDetails, alert?: string) =>
        show(exchange, viewer, status, { keyForm: { name, scopes, errors }, ...(alert && { alert }) });
      const lacksDays = (fields['days'] ?? '') === '';
      const found = errorsOfKeyRequest({ name, days, scopes });
      const mistakes = found && lacksDays ? { ...found, days: [`is required: ${keyLifetimeText}`] } : found;
      if (mistakes) return await refuse(422, mistakes);
      const wait = await countPasswordAttempt(exchange, viewer.id);
      if (wait) return await refuse(429, {}, wait);
      const identity = await confirmIdentity(context, viewer, fields['current_password'] ?? '');
      if (identity === 'wrong-password') return await refuse(422, { current_password: ['is wrong'] });
      if (identity === 'old-login') return await refuse(403, {}, oldLogin);
      const result = await createApiKey(context, viewer.id, { name, days, scopes });
      return 'errors' in result
        ? await refuse(422, result.errors)
        : await show(exchange, viewer, 201, { newKey: result });
    }),
  });

  mountForm(app, context, `${settingsPath}/api-keys/:id`, {
    DELETE: loggedIn(settingsPath, async (exchange, viewer) => {
      const { id } = exchange.request.params as { id: string };
      if (!uuidPattern.test(id) || !(await deleteApiKey(context, viewer.id, id))) throw notFound('API key');
      leaveFlash(exchange, 'key-revoked');
      return exchange.reply.redirect(`${settingsPath}#api-keys`, 303);
    }),
  });
}

async function putEmail(exchange: PageExchange, viewer: Viewer): Promise<FastifyReply> {
  const email = exchange.fields['user[email]'] ?? '';
  const refusal = await changeEmail(exchange.context, viewer.id, {
    email,
    currentPassword: exchange.fields['current_password'] ?? '',
  });
  if (refusal) return await show(exchange, viewer, 422, { emailForm: { email, errors: refusal.errors } });
  rememberBrowser(exchange, email.trim().toLowerCase());
  leaveFlash(exchange, 'email-changed');
  return exchange.reply.redirect(settingsPath, 303);
}

async function putPassword(exchange: PageExchange, viewer: Viewer): Promise<FastifyReply> {
  const result = await changePassword(exchange.context, viewer.id, {
    currentPassword: exchange.fields['current_password'] ?? '',
    newPassword: exchange.fields['user[password]'] ?? '',
    userAgent: exchange.request.headers['user-agent'] ?? '',
    revokesKeys: exchange.fields['revoke_keys'] !== undefined,
  });
  if ('errors' in result)
    return await show(exchange, viewer, 422, { passwordForm: { errors: result.errors } });
  setLoginCookie(exchange, result.token);
  leaveFlash(exchange, 'password-changed');
  return exchange.reply.redirect(settingsPath, 303);
}

async function show(
  exchange: PageExchange,
  viewer: Viewer,
  status: number,
  state: SettingsState,
  cloudKey: CloudKeyState = {},
): Promise<FastifyReply> {
  const { context, reply } = exchange;
  const hasPassword = (await findUser(context.db, viewer.id))?.password_hash !== null;
  return sendPlainPage(reply, status, {
    title: 'Settings',
    current: 'settings',
    contents: settingsContents(viewer.role, hasPassword),
    hasScript: true,
    flash: takeFlash(exchange),
    body: settingsBody({
      email: viewer.email,
      role: viewer.role,
      hasPassword,
      connections: await connectionsSection(exchange, viewer, cloudKey),
      csrfToken: csrfTokenFor(exchange, viewer),
      usage: await showUsage(context, viewer.id),
      keys: await listApiKeys(context.db, viewer.id),
      logins: await listLoginSessions(context.db, viewer.id, context.clock.now()),
      currentId: viewer.login_session_id,
      failures: await findLogInNotice(context.db, viewer.login_session_id ?? ''),
      now: context.clock.now(),
      state,
    }),
  });
}
