import { type Html, html } from '../../platform/http/html.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import type { Exchange } from './exchange.ts';
import { countFailedLogIn, type LogInNotice } from './failed-log-ins.store.ts';
import { hashOfToken } from './hash-of-token.ts';
import { moment } from './moment.ts';

/** Digits of the hash that stands for an account in the log. */
const shownHashDigits = 16;

/**
 * Notes a log-in that failed because of its email address or password: one line in the log, and a count for the user
 * where there is one. The reply does not wait for the count, so its time does not tell whether the account exists.
 *
 * The log names the account by a hash, because people type passwords into the wrong field.
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

/** Draws the sentence about failed log-ins that a user sees after logging in. */
export function describeFailures({ attempts, networks, last_network, first_at, last_at }: LogInNotice): Html {
  if (attempts === 1) return html`1 failed log-in from ${last_network} at ${moment(last_at)}.`;
  const from = networks === 1 ? '' : ` from ${networks} networks`;
  return html`${attempts} failed log-ins${from} since ${moment(first_at)}, last from ${last_network} at ${moment(last_at)}.`;
}
