import { createResetLink } from '../../features/accounts/reset.service.ts';
import { findUser } from '../../features/users/users.store.ts';
import { newId } from '../../platform/ids.ts';
import { goodPassword } from '../account-steps.ts';
import { standInKeys } from '../stand-ins/cloud-data.ts';
import type { Belongings } from './belongings.ts';
import { insertPerson } from './enrol.ts';
import type { Asked, RoleRow } from './role.ts';

const newPassword = 'another gravel tuesday';
const asDelete = { _method: 'DELETE' };

/** Returns rows for a deletion: forms use POST with the hidden field `_method`, programs use DELETE. */
function deleting(path: `/${string}`, row: RoleRow): Record<`POST ${string}` | `DELETE ${string}`, RoleRow> {
  const make = async (has: Belongings): Promise<Asked> => {
    const asked = (await row.make?.(has)) ?? {};
    return { ...asked, fields: { ...asked.fields, ...asDelete } };
  };
  return { [`POST ${path}`]: { ...row, make }, [`DELETE ${path}`]: { ...row, make } };
}

/** Returns the token of a password reset link, which is valid for any caller. */
async function resetToken({ context }: Belongings): Promise<string> {
  const user = await findUser(context.db, (await insertPerson(context, 'user', 'no hash')).id);
  if (!user) throw new Error('a user who was just written is gone');
  return new URL(await createResetLink(context, user, 'http://here')).searchParams.get('token') ?? '';
}

async function keyOf({ context, owner }: Belongings): Promise<Asked> {
  const id = newId();
  const key = { id, user_id: owner.id, name: owner.mark, key_hash: id, prefix: 'sst_' };
  await context.db
    .insertInto('api_keys')
    .values({ ...key, created_at: context.clock.now() })
    .execute();
  return { params: { id } };
}

const logIn = ({ owner }: Belongings): Asked => ({
  fields: { 'user[email]': owner.email, 'user[password]': goodPassword },
});

/**
 * Required access of all routes outside the contract: pages, forms, redirects and files, by method and path. HEAD
 * equals GET.
 */
export const pageRoles: Readonly<Record<string, RoleRow>> = {
  'GET /': { access: 'page', status: 200 },
  'GET /dj': { access: 'anybody', status: 308 },
  'GET /daw/:track_id': { access: 'anybody', status: 308, make: () => ({ params: { track_id: newId() } }) },
  'GET /plain-page.css': { access: 'anybody', status: 200 },
  'GET /plain-page.js': { access: 'anybody', status: 200 },
  'GET /api-docs.css': { access: 'anybody', status: 200 },

  'GET /users/register': { access: 'anybody', status: { nobody: 200, browser: 303 } },
  'POST /users/register': {
    access: 'any form',
    status: 303,
    make: () => ({ fields: { 'user[email]': `${newId()}@example.org`, 'user[password]': goodPassword } }),
  },
  'GET /users/log-in': { access: 'anybody', status: { nobody: 200, browser: 303 } },
  'POST /users/log-in': {
    access: 'any form',
    status: 303,
    thing: 'an account, by its password',
    make: logIn,
  },
  'GET /users/log-in/notice': { access: 'page', status: 303 },
  'GET /users/log_in': { access: 'anybody', status: 308 },
  'POST /users/log_in': { access: 'anybody', status: 308, make: logIn },
  ...deleting('/users/log-out', { access: 'any form', status: 303 }),
  ...deleting('/users/log-out/everywhere', { access: 'any form', status: 303 }),
  'GET /users/reset': {
    access: 'anybody',
    status: 200,
    thing: 'an account, by a link for a new password',
    make: async (has) => ({ query: { token: await resetToken(has) } }),
  },
  'POST /users/reset': {
    access: 'any form',
    status: 303,
    thing: 'an account, by a link for a new password',
    make: async (has) => ({ fields: { token: await resetToken(has), 'user[password]': newPassword } }),
  },

  'GET /users/settings': { access: 'page', status: 200 },
  'POST /users/settings': {
    access: 'own form',
    status: 303,
    make: () => ({ fields: { _method: 'PUT', ...changeOfEmail() } }),
  },
  'PUT /users/settings': { access: 'own form', status: 303, make: () => ({ fields: changeOfEmail() }) },
  'POST /users/settings/first-password': {
    access: 'own form',
    status: 303,
    make: () => ({ fields: { 'user[email]': `${newId()}@example.org`, 'user[password]': newPassword } }),
  },
  'POST /users/settings/api-keys': {
    access: 'own form',
    status: 201,
    make: () => ({
      fields: { name: 'a key', days: '30', 'scope[read]': 'on', current_password: goodPassword },
    }),
  },
  ...deleting('/users/settings/api-keys/:id', {
    access: 'form of the owner',
    status: 303,
    thing: 'an API key',
    make: keyOf,
  }),
  'POST /users/settings/cloud-key': {
    access: 'own form',
    status: 303,
    make: () => ({ fields: { license_key: standInKeys.rich } }),
  },
  'POST /users/settings/connections': {
    access: 'own form',
    status: 303,
    make: () => ({ fields: { kind: 'cloud_separation' } }),
  },
  'DELETE /users/settings/cloud-key': { access: 'own form', status: 303 },
  ...deleting('/users/settings/catalog', { access: 'own form', status: 303 }),
  'GET /users/settings/delete': { access: 'page', status: 200 },
  ...deleting('/users/settings/delete', {
    access: 'own form',
    status: 303,
    make: () => ({ fields: { confirmation: goodPassword } }),
  }),

  'GET /auth/catalog': { access: 'anybody', status: 303 },
  // A callback without a started login.
  'GET /auth/catalog/callback': { access: 'anybody', status: 403 },
  'GET /catalog/covers/:id': {
    access: 'users',
    scope: 'catalog:read',
    status: 200,
    make: ({ pattern }) => ({ params: { id: pattern.catalogId } }),
  },
  'GET /files/*': {
    access: 'files',
    status: 200,
    thing: 'a stem',
    make: async (has) => ({ params: { '*': (await has.stem()).path } }),
  },
};

function changeOfEmail(): Record<string, string> {
  return { action: 'email', 'user[email]': `${newId()}@example.org`, current_password: goodPassword };
}
