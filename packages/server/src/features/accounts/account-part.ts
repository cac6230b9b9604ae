import { type AccountPart, jsonFile } from '../../platform/account-part.ts';
import { listAuditOf } from '../audit/index.ts';
import { describeAccount } from './describe-account.ts';

/**
 * Part of the account export about the account itself: user, connections, names of API keys, logins and audit log.
 */
export const accountPart: AccountPart = {
  name: 'account.json',
  about:
    'who you are, the names of your API keys, where you are logged in, what was decided about your account',
  async *files(context, { userId }) {
    const account = await describeAccount(context, userId);
    const audit_log = await listAuditOf(context.db, userId);
    yield jsonFile('account.json', context.clock.now(), { ...account, audit_log });
  },
};
