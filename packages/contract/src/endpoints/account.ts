import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { user } from '../resources/user.ts';

/** Who the caller is. */
export const getAccount = endpoint({
  method: 'GET',
  path: '/api/account',
  summary: 'The calling user',
  auth: 'api',
  scope: 'account:read',
  status: 200,
  reply: dataOf(user),
});

/** All that the service keeps of the caller, to take along. Never a secret. */
export const exportAccount = endpoint({
  method: 'GET',
  path: '/export/account',
  summary:
    'Account, tracks, stems, jobs and analyses of the caller as JSON in a ZIP that is made while it is sent',
  auth: 'api',
  scope: 'account:read',
  status: 200,
  replyTypes: ['application/zip'],
});
