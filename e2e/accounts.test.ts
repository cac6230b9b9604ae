import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { assertAccessible } from './accessibility.ts';
import { desktop, phone, type Visit, visit } from './browser.ts';
import { administrator, fillIn, setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { untilEqual } from './until.ts';

const apiKey = /sst_[\w-]{43}\b/;

/** Clears the cookies of a browser and sends its requests from another client address. */
async function comeFrom({ context }: Visit, address: string): Promise<void> {
  await context.clearCookies();
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': address });
}

/** Logs a user in from the given address and opens the settings page. */
async function openSettings(browser: Visit, person: typeof administrator, address: string): Promise<void> {
  await comeFrom(browser, address);
  const { page } = browser;
  await page.goto('/users/log-in?return_to=/users/settings');
  await fillIn(page, person);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(/\/users\/settings$/);
}

test('accounts', async (t) => {
  // Requests carry a forwarded address, so each user has a separate client address.
  const studio = await startStudio(t, { TRUSTED_PROXIES: '127.0.0.1' });
  const plain = await visit(t, studio, { javaScript: false });
  const elsewhere = await visit(t, studio, { javaScript: false });

  await t.test('the setup link creates the first administrator and works only once', async (t) => {
    const link = await studio.setupLink();
    const { page, shoot } = await visit(t, studio);
    await setUp(page, studio);
    await page.getByRole('button', { name: 'Import demo album' }).waitFor();
    await shoot('first-visit');

    const reply = await plain.page.goto(link);
    assert.equal(reply?.status(), 403);
    await plain.page.getByRole('heading', { name: 'The link is no longer valid' }).waitFor();
  });

  await t.test(
    'the pages of the service fit four sizes, with one typeface and without violations of axe',
    async (t) => {
      const { page, shoot } = await visit(t, studio);
      const check = async (name: string, path: string) => {
        for (const size of [desktop, { width: 1280, height: 720 }, { width: 1024, height: 768 }, phone]) {
          await page.setViewportSize(size);
          await page.goto(path);
          const where = `${name} at ${size.width}`;
          const { overflowPx, hasFont } = await page.evaluate(async () => {
            await document.fonts.ready;
            return {
              overflowPx: document.documentElement.scrollWidth - innerWidth,
              hasFont: document.fonts.check('16px "Inter Variable"') && document.fonts.size > 0,
            };
          });
          assert.ok(overflowPx <= 0, `${where} is ${overflowPx} px too wide`);
          assert.ok(hasFont, `${where} has the typeface of the app`);
          await page.getByRole('banner').getByRole('link', { name: 'Stem Studio' }).waitFor();
          const contents = page.getByRole('navigation', { name: 'Contents' });
          if ((await contents.count()) > 0 || name === 'settings')
            assert.equal(await contents.isVisible(), size.width >= 1024, `contents of ${where}`);
          const primary = await page
            .locator('section:not(section section)')
            .evaluateAll((all) => all.map((section) => section.querySelectorAll('.primary').length));
          assert.ok(
            primary.every((count) => count <= 1),
            `primary buttons of the sections of ${where}: ${primary.join(', ')}`,
          );
          await assertAccessible(page, where);
          await shoot(`${name}-${size.width}`);
        }
      };
      await check('log-in', '/users/log-in');
      await check('register', '/users/register');
      await check('no-page', '/nothing-here');
      await check('api-docs', '/api/docs');
      await page.goto('/users/log-in');
      await fillIn(page, administrator);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL((url) => url.pathname === '/');
      await check('settings', '/users/settings');
      await check('delete-account', '/users/settings/delete');
    },
  );

  await t.test('with JavaScript, times are in the zone of the user and a new key is copied', async (t) => {
    const { page, context, shoot } = await visit(t, studio, { timezoneId: 'Asia/Kathmandu' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/users/log-in?return_to=/users/settings');
    await fillIn(page, administrator);
    await page.getByRole('button', { name: 'Log in' }).click();
    const since = page.locator('#logins time').first();
    const utc = new Date((await since.getAttribute('datetime')) ?? '');
    const local = new Intl.DateTimeFormat('en', {
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'Asia/Kathmandu',
    });
    const shown = (await since.innerText()).replace(/\s/g, ' ');
    assert.ok(shown.endsWith(local.format(utc).replace(/\s/g, ' ')), `${shown} for ${utc.toISOString()}`);
    assert.match((await since.getAttribute('title')) ?? '', / UTC$/);
    await page.getByLabel('Name', { exact: true }).fill('laptop');
    await page.locator('#key-current-password').fill(administrator.password);
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('it is shown only once').inputValue();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
    await shoot('key-copied');
  });

  await t.test('redirects an anonymous visitor to log-in and back to the requested page', async (t) => {
    const { page } = await visit(t, studio);
    await page.goto('/?tab=jobs');
    await page.waitForURL(/\/users\/log-in/);
    await fillIn(page, administrator);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL((url) => url.pathname === '/' && url.search === '?tab=jobs');
  });

  await t.test('without JavaScript a user registers, creates an API key, logs out and logs in', async () => {
    const person = { email: 'grace@example.org', password: 'nine quiet harbours' };
    const { page, context, shoot } = plain;
    await comeFrom(plain, '203.0.113.1');
    await page.goto('/users/register');
    await fillIn(page, { ...person, password: 'password1234' });
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('is too common').waitFor();
    assert.equal(await page.getByLabel('Email').inputValue(), person.email);
    await shoot('register-refused');
    await fillIn(page, person);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL((url) => url.pathname === '/');

    await page.goto('/users/settings');
    await page.getByLabel('Name', { exact: true }).fill('my script');
    await page.locator('#key-current-password').fill(person.password);
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('it is shown only once').inputValue();
    assert.match(key, apiKey);
    await shoot('settings');
    const reply = await fetch(`${studio.url}/api/account`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(reply.status, 200);
    const account = (await reply.json()) as { data: { email: string; role: string } };
    assert.equal(account.data.email, person.email);
    assert.equal(account.data.role, 'user');
    await page.goto('/users/settings');
    await page.getByText('my script').first().waitFor();
    assert.doesNotMatch(await page.content(), apiKey);

    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.waitForURL(/\/users\/log-in/);
    await untilEqual(
      'cookies that log in',
      async () =>
        (await context.cookies())
          .filter(({ name, value }) => name === 'stem_studio_session' && value !== '')
          .map(({ name }) => name),
      [],
    );
    await fillIn(page, { ...person, password: 'not the password' });
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
    await fillIn(page, person);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL((url) => url.pathname === '/');
  });

  await t.test('without JavaScript a password change logs out every other browser', async () => {
    const person = { email: 'grace@example.org', password: 'nine quiet harbours' };
    const { page, shoot } = plain;
    const { page: other } = elsewhere;
    for (const each of [plain, elsewhere]) await openSettings(each, person, '203.0.113.2');
    const section = page.locator('#password');
    await section.getByLabel('New password').fill('seven slow lanterns');
    await section.getByLabel('Current password').fill('not the password');
    await section.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Current password is wrong').waitFor();
    await section.getByLabel('New password').fill('seven slow lanterns');
    await section.getByLabel('Current password').fill(person.password);
    await section.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed').waitFor();
    await shoot('password-changed');
    await other.reload();
    await other.waitForURL(/\/users\/log-in/);
  });

  await t.test('without JavaScript a user logs out of all browsers', async () => {
    const person = { email: 'grace@example.org', password: 'seven slow lanterns' };
    const { page } = plain;
    const { page: other } = elsewhere;
    for (const each of [plain, elsewhere]) await openSettings(each, person, '203.0.113.3');
    await page.getByText('(this browser)').waitFor();
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByText('here and in every other browser').waitFor();
    for (const each of [page, other]) {
      await each.goto('/users/settings');
      await each.waitForURL(/\/users\/log-in/);
    }
  });

  await t.test('without JavaScript a user exports their data and deletes the account', async () => {
    const person = { email: 'grace@example.org', password: 'seven slow lanterns' };
    const { page, shoot } = plain;
    await comeFrom(plain, '203.0.113.4');
    await page.goto('/users/log-in?return_to=/users/settings');
    await fillIn(page, person);
    await page.getByRole('button', { name: 'Log in' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export my data' }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /^Stem Studio \d{4}-\d\d-\d\d\.zip$/);
    assert.match(
      (await readFile(await download.path())).toString('latin1'),
      /^PK[^]*account\.json[^]*grace@example\.org/,
    );
    await shoot('settings-with-data');

    await page.getByRole('link', { name: 'Delete my account' }).click();
    await page.getByText('cannot be undone').waitFor();
    await shoot('delete-account');
    await page.getByLabel('Current password').fill('not the password');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByText('Current password is wrong').waitFor();
    await page.getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByText('Your account and everything in it is deleted').waitFor();
    await fillIn(page, person);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('or the password is wrong').waitFor();
  });

  await t.test('refuses to delete the last administrator and shows the reason', async () => {
    const { page, shoot } = plain;
    await comeFrom(plain, '203.0.113.5');
    await page.goto('/users/log-in?return_to=/users/settings/delete');
    await fillIn(page, administrator);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('This is the last platform_admin').waitFor();
    await shoot('last-administrator');
  });

  await t.test('prints no passwords and no API keys', () => {
    for (const secret of [administrator.password, 'nine quiet harbours', 'seven slow lanterns', 'sst_']) {
      assert.ok(!studio.output().includes(secret), `“${secret}” is printed`);
    }
  });
});
