import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goodPassword, openAccountsApp, registeredBrowser } from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import { createSetupLink } from './setup.service.ts';

const baseUrl = 'http://127.0.0.1:4000';

async function useLink(browser: FormBrowser, link: string, email: string) {
  const page = await browser.get(link.slice(baseUrl.length));
  if (page.statusCode !== 200) return page;
  return await browser.submit(formOn(page.payload, '/users/register'), {
    'user[email]': email,
    'user[password]': goodPassword,
  });
}

test('the set-up link creates the first platform admin, once', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const link = (await createSetupLink(context, baseUrl)) ?? '';
  assert.match(link, /^http:\/\/127\.0\.0\.1:4000\/users\/register\?setup=[\w-]{43}$/);
  const browser = new FormBrowser(app);
  assert.equal((await useLink(browser, link, 'admin@example.org')).statusCode, 303);
  const users = await context.db.selectFrom('users').select(['id', 'email', 'role']).execute();
  assert.deepEqual(
    users.map(({ email, role }) => ({ email, role })),
    [{ email: 'admin@example.org', role: 'platform_admin' }],
  );
  const entry = await context.db.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow();
  assert.equal(entry.action, 'user_role_changed');
  assert.equal(entry.target_user_id, users[0]?.id);
  assert.deepEqual(entry.details, { old_role: 'user', new_role: 'platform_admin' });
  assert.equal((await useLink(new FormBrowser(app), link, 'second@example.org')).statusCode, 403);
  assert.equal(await createSetupLink(context, baseUrl), null, 'none is printed any more');
});

test('registering without the link gives the role user, and the link stays valid', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const link = (await createSetupLink(context, baseUrl)) ?? '';
  await registeredBrowser(app, 'first@example.org');
  assert.ok((await createSetupLink(context, baseUrl)) !== null);
  assert.equal((await useLink(new FormBrowser(app), link, 'admin@example.org')).statusCode, 303);
  const roles = await context.db.selectFrom('users').select('role').orderBy('id').execute();
  assert.deepEqual(roles, [{ role: 'user' }, { role: 'platform_admin' }]);
});

test('the link works while registration is closed, and a wrong one does not', async (t) => {
  const { app, context } = await openAccountsApp(t, { config: { registration: 'closed' } });
  const link = (await createSetupLink(context, baseUrl)) ?? '';
  const wrong = await useLink(
    new FormBrowser(app),
    `${baseUrl}/users/register?setup=${'A'.repeat(43)}`,
    'x@example.org',
  );
  assert.equal(wrong.statusCode, 403);
  assert.match(wrong.payload, /This set-up link has been used/);
  assert.equal((await useLink(new FormBrowser(app), link, 'admin@example.org')).statusCode, 303);
});

test('an address in use does not consume the link', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const link = (await createSetupLink(context, baseUrl)) ?? '';
  await registeredBrowser(app, 'first@example.org');
  assert.equal((await useLink(new FormBrowser(app), link, 'first@example.org')).statusCode, 422);
  assert.equal((await useLink(new FormBrowser(app), link, 'admin@example.org')).statusCode, 303);
});

test('two simultaneous uses of links create one platform admin', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const links = [await createSetupLink(context, baseUrl), await createSetupLink(context, baseUrl)];
  const replies = await Promise.all(
    [...links, ...links].map((link, i) =>
      useLink(new FormBrowser(app), link ?? '', `admin-${i}@example.org`),
    ),
  );
  assert.deepEqual(
    replies.map((reply) => reply.statusCode).sort((a, b) => a - b),
    [303, 403, 403, 403],
  );
  const users = await context.db.selectFrom('users').select('role').execute();
  assert.deepEqual(users, [{ role: 'platform_admin' }]);
});
