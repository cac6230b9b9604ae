import { type Html, html } from '../../platform/http/html.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import type { Exchange } from './exchange.ts';
import { countFailedLogIn, type LogInNotice } from './failed-log-ins.store.ts';
import { hashOfToken } from './hash-of-token.ts';
import { moment } from './moment.ts';

/** Number of hash digits that identify an account in the log. */
const shownHashDigits = 16;

/**
 * Records a log-in that failed because of its email address or password. It is one log line, and a count if the user
 * exists. The reply does not wait for the count, so that its duration does not reveal whether the account exists.
 *
 * The log identifies the account by a hash, because people type passwords into the wrong field.
 *
 * @param email trimmed and lower case
 * @see docs/decisions/0233-failed-log-ins.md
 */
export function noteFailedLogIn({ context, request }: Exchange, email: string): void {
  const account = hashOfToken(email).slice(0, shownHashDigits);
  context.log.warn({ address: request.ip, account }, 'a log-in failed');
  void countFailedLogIn(context.db, email, networkOf(request.ip), context.clock.now()).catch(
    (error: unknown) => context.log.warn({ err: error }, 'a failed log-in could not be counted'),
  );
}

/** Renders the notice about failed log-ins that a user sees after logging in. */
export function describeFailures({ attempts, networks, last_network, first_at, last_at }: LogInNotice): Html {
  if (attempts === 1) return html`1 failed log-in from ${last_network} at ${moment(last_at)}.`;
  const from = networks === 1 ? '' : ` from ${networks} networks`;
  return html`${attempts} failed log-ins${from} since ${moment(first_at)}, last from ${last_network} at ${moment(last_at)}.`;
}
