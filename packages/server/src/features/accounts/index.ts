import type { Feature } from '../../platform/feature.ts';
import { every } from '../../platform/timer.ts';
import { accountPart } from './account-part.ts';
import { mountAccountRoutes } from './accounts.routes.ts';
import { deleteExpiredAttempts } from './catalog-login/catalog-attempts.store.ts';
import { mountCatalogLoginPages } from './catalog-login/catalog-login.pages.ts';
import { mountDeleteAccountPages } from './delete-account.pages.ts';
import { deleteOldFailedLogIns } from './failed-log-ins.store.ts';
import { mountLogInPages } from './log-in.pages.ts';
import { mountLogOutPages } from './log-out.pages.ts';
import { deleteExpiredLoginSessions } from './login-sessions.store.ts';
import { mountRegisterPages } from './register.pages.ts';
import { mountResetPages } from './reset.pages.ts';
import { mountSettingsPages } from './settings.pages.ts';

export { administerUser } from './administer-user.service.ts';
export { createApiKey, usualKeyDays } from './api-keys.service.ts';
export { createAuthenticator, renewLoginCookie } from './authenticator.ts';
export { userCatalogToken } from './catalog-login/catalog-token.service.ts';
export { changeQuota } from './change-quota.service.ts';
export { csrfTokenFor } from './csrf.ts';
export { deactivateUser } from './deactivate.service.ts';
export { keptLogin } from './login-sessions.store.ts';
export { addUser, changeRole } from './operator.service.ts';
export { createResetLink } from './reset.service.ts';
export { logInPath } from './return-to.ts';
export { createSetupLink } from './setup.service.ts';

const sweepEverySeconds = 3600;
/** Retention of failed log-ins of an account without later log-ins: 90 days, in ms. */
const failuresKeptMs = 90 * 86_400_000;

/** Feature of accounts: registration, log-in, settings, API keys. */
export const accounts: Feature = {
  name: 'accounts',
  accountParts: [accountPart],
  routes: (app, context) => {
    mountAccountRoutes(app, context);
    mountRegisterPages(app, context);
    mountLogInPages(app, context);
    mountLogOutPages(app, context);
    mountCatalogLoginPages(app, context);
    mountResetPages(app, context);
    mountSettingsPages(app, context);
    mountDeleteAccountPages(app, context);
  },
  start: (context) =>
    Promise.resolve(
      every(context, sweepEverySeconds, 'log-ins that have run out', async () => {
        await deleteExpiredLoginSessions(context.db, context.clock.now());
        await deleteExpiredAttempts(context.db, context.clock.now());
        const before = new Date(context.clock.now().getTime() - failuresKeptMs);
        await deleteOldFailedLogIns(context.db, before);
      }),
    ),
};
