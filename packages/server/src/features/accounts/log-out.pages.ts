import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { revokeAllKeys } from './api-keys.service.ts';
import { clearCookie } from './cookies.ts';
import { leaveFlash } from './flash.ts';
import { endLogin, endLoginsOf } from './log-in.service.ts';
import { mountForm } from './page-routes.ts';

/** Mounts both kinds of log-out: of this browser, and of all browsers. */
export function mountLogOutPages(app: FastifyInstance, context: Context): void {
  mountForm(app, context, '/users/log-out', {
    DELETE: async (exchange) => {
      const id = exchange.viewer?.login_session_id;
      if (id) await context.db.transaction().execute((tx) => endLogin(tx, id));
      clearCookie(exchange, 'login');
      leaveFlash(exchange, 'logged-out');
      return exchange.reply.redirect('/users/log-in', 303);
    },
  });

  mountForm(app, context, '/users/log-out/everywhere', {
    DELETE: async (exchange) => {
      const id = exchange.viewer?.id;
      const revokesKeys = exchange.fields['revoke_keys'] !== undefined;
      if (id !== undefined)
        await context.db.transaction().execute(async (tx) => {
          await endLoginsOf(tx, id);
          if (revokesKeys) await revokeAllKeys(context, tx, id);
        });
      clearCookie(exchange, 'login');
      leaveFlash(exchange, revokesKeys ? 'logged-out-keys-revoked' : 'logged-out-everywhere');
      return exchange.reply.redirect('/users/log-in', 303);
    },
  });
}
