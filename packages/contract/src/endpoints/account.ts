import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { user } from '../resources/user.ts';

/** Who the caller is. */
export const getAccount = endpoint({
  method: 'GET',
  path: '/api/account',
  summary: 'The calling user',
  auth: 'api',
  status: 200,
  reply: dataOf(user),
});
