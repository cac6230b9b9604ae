import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './browser.ts';
import { administrator, fillIn, setUp } from './people.ts';
import { startStudio } from './studio.ts';

const apiKey = /sst_[\w-]{43}\b/;

test('accounts', async (t) => {
  const studio = await startStudio(t);

  await t.test('the set-up link makes the first administrator, and works once', async (t) => {
    const link = await studio.setupLink();
    const { page, shoot } = await visit(t, studio);
    await setUp(page, studio);
    await page.getByRole('button', { name: 'Import the demo album' }).waitFor();
    await shoot('first-visit');

    const other = await visit(t, studio);
    const reply = await other.page.goto(link);
    assert.equal(reply?.status(), 403);
    await other.page.getByRole('heading', { name: 'The link is void' }).waitFor();
  });

  await t.test('who is not logged in is asked to log in, and comes back to where they wanted', async (t) => {
    const { page } = await visit(t, studio);
    await page.goto('/?tab=jobs');
    await page.waitForURL(/\/users\/log-in/);
    await fillIn(page, administrator);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL((url) => url.pathname === '/' && url.search === '?tab=jobs');
  });

  await t.test('without JavaScript a user registers, makes an API key, logs out and logs in', async (t) => {
    const person = { email: 'grace@example.org', password: 'nine quiet harbours' };
    const { page, context, shoot } = await visit(t, studio, { javaScript: false });
    await page.goto('/users/register');
    await fillIn(page, { ...person, password: 'password1234' });
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('is one of the commonest').waitFor();
    assert.equal(await page.getByLabel('Email').inputValue(), person.email);
    await shoot('register-refused');
    await fillIn(page, person);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL((url) => url.pathname === '/');

    await page.goto('/users/settings');
    await page.getByLabel('Name', { exact: true }).fill('my script');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('it is shown only once').waitFor();
    const key = apiKey.exec(await page.content())?.[0] ?? '';
    await shoot('settings');
    const reply = await fetch(`${studio.url}/api/account`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(reply.status, 200);
    const account = (await reply.json()) as { data: { email: string; role: string } };
    assert.equal(account.data.email, person.email);
    assert.equal(account.data.role, 'user');
    await page.goto('/users/settings');
    await page.getByText('my script').first().waitFor();
    assert.doesNotMatch(await page.content(), apiKey);

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL(/\/users\/log-in/);
    assert.ok(
      !(await context.cookies()).some(({ name, value }) => name === 'stem_studio_session' && value !== ''),
    );
    await fillIn(page, { ...person, password: 'not the password' });
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
    await fillIn(page, person);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL((url) => url.pathname === '/');
  });

  await t.test('nothing that was typed as a password is printed', () => {
    for (const secret of [administrator.password, 'nine quiet harbours', 'sst_']) {
      assert.ok(!studio.output().includes(secret));
    }
  });
});
