import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { askAccount, logInWith } from '../testing/account-steps.ts';
import { cleanUp } from '../testing/clean-up.ts';
import { eventually } from '../testing/eventually.ts';
import { FormBrowser, formOn } from '../testing/form-browser.ts';
import { makeFolder } from '../testing/library-steps.ts';
import { runStudio, startStudio } from '../testing/run-studio.ts';
import { databaseUrlOf } from '../testing/service-process.ts';
import { openTestApp } from '../testing/test-app.ts';
import type { TestLifetime } from '../testing/test-context.ts';

const password = 'gravel ocean tuesday';

/** Starts a service with its database, and returns functions that run the command on the same database. */
async function openOperator(t: TestLifetime) {
  const secretKey = 'a key of a test, of more than 32 characters';
  const { app, context } = await openTestApp(t, { config: { secretKey } });
  const env = {
    DATABASE_URL: databaseUrlOf(context.connection),
    SECRET_KEY: secretKey,
    PUBLIC_URL: 'http://studio',
  };
  const run = (args: readonly string[], input = '') => runStudio(context.folder, args, env, input);
  const add = (email: string, role = 'user') =>
    run(['user', 'add', email, '--role', role, '--password-stdin'], `${password}\n`);
  return { app, context, run, add };
}

test('help lists every command and its options, and exits with 0', async (t) => {
  const folder = await makeFolder(t);
  const all = await runStudio(folder, ['--help']);
  assert.equal(all.code, 0);
  for (const name of ['serve', 'worker', 'user add', 'user role', 'user reset', 'token create', 'separate'])
    assert.match(all.out, new RegExp(`^  ${name}`, 'm'));
  const names = ['serve', 'user add', 'separate'];
  const helps = await Promise.all(names.map((name) => runStudio(folder, [...name.split(' '), '--help'])));
  for (const [index, help] of helps.entries()) {
    assert.equal(help.code, 0);
    assert.ok(help.out.startsWith(`Usage: studio ${names[index]}`), help.out);
  }
  assert.deepEqual(await readdir(folder), []);
});

test('prints the version of the release', async (t) => {
  const manifest = await readFile(new URL('../../../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  assert.equal((await runStudio(await makeFolder(t), ['--version'])).out.trim(), version);
});

test('exits with 2 and the violated rule for an invalid command line', async (t) => {
  const folder = await makeFolder(t);
  const cases: readonly (readonly [string, RegExp])[] = [
    ['dance', /there is no command "dance"/],
    ['separate song.wav', /--out must be given/],
    ['separate --out x', /takes FILE \(got nothing\)/],
    ['separate song.wav --out x --model best', /--model must be hybrid_4, .* \(got best\)/],
    ['separate song.wav --out x --stems vocals,choir', /--stems must be vocals, .* \(got choir\)/],
    ['separate song.wav --out x --bit-depth 8', /--bit-depth must be 16, 24, 32f \(got 8\)/],
    ['separate song.wav --out x --format flac --bit-depth 32f', /--bit-depth must be 16, 24 \(got 32f\)/],
    ['separate song.wav --out x --format mp3 --bit-depth 16', /--bit-depth is for wav and flac/],
    ['separate a.wav b.wav --out x', /takes FILE \(got a.wav b.wav\)/],
    ['analyze --json', /takes FILE… \(got nothing\)/],
    ['separate song.wav --out x --loud', /Unknown option '--loud'/],
    ['user add a@example.org', /--password-stdin must be given/],
    ['user role a@example.org king', /role must be user, admin, platform_admin \(got king\)/],
    ['token create a@example.org', /--name must be given/],
  ];
  await Promise.all(
    cases.map(async ([line, pattern]) => {
      const ran = await runStudio(folder, line.split(' '));
      assert.deepEqual([ran.code, ran.out], [2, ''], line);
      assert.match(ran.err, pattern);
    }),
  );
});

test('lists the models that the service lists', async (t) => {
  const ran = await runStudio(await makeFolder(t), ['models', '--json']);
  const [first] = JSON.parse(ran.out) as { name: string; available: boolean; stems: string[] }[];
  assert.deepEqual([ran.code, first?.name, first?.available, first?.stems.length], [0, 'hybrid_4', true, 4]);
});

test('creates a user with a role who can log in, and records it in the audit log', async (t) => {
  const { app, context, add } = await openOperator(t);
  const made = await add('Boss@example.org', 'platform_admin');
  assert.equal(made.code, 0, made.err);
  assert.ok(!`${made.out}${made.err}`.includes(password));
  assert.equal((await logInWith(new FormBrowser(app), 'boss@example.org', password)).statusCode, 303);
  const [entry] = await context.db.selectFrom('audit_log').selectAll().execute();
  assert.equal(entry?.action, 'user_role_changed');
  assert.equal(entry?.actor_user_id, null);
  const again = await add('boss@example.org');
  assert.deepEqual([again.code, again.err], [1, 'email has an account already\n']);
});

test('changes and logs a role, but keeps the last platform_admin', async (t) => {
  const { context, run, add } = await openOperator(t);
  await add('boss@example.org', 'platform_admin');
  await add('other@example.org');
  const last = await run(['user', 'role', 'boss@example.org', 'user']);
  assert.equal(last.code, 1);
  assert.match(last.err, /last platform_admin/);
  const raised = await run(['user', 'role', 'other@example.org', 'platform_admin']);
  assert.equal(raised.out, 'other@example.org: user → platform_admin\n');
  assert.equal((await run(['user', 'role', 'boss@example.org', 'user'])).code, 0);
  const log = await context.db.selectFrom('audit_log').select('details').orderBy('id').execute();
  assert.deepEqual(log.at(-1)?.details, { old_role: 'platform_admin', new_role: 'user' });
  assert.match(
    (await run(['user', 'role', 'nobody@example.org', 'user'])).err,
    /no account has the email address/,
  );
});

test('prints a reset link that opens the form of the running service', async (t) => {
  const { app, run, add } = await openOperator(t);
  await add('forgetful@example.org');
  const ran = await run(['user', 'reset', 'forgetful@example.org']);
  assert.equal(ran.code, 0, ran.err);
  const link = ran.out.trim();
  assert.match(link, /^http:\/\/studio\/users\/reset\?token=[\w.-]+$/);
  const browser = new FormBrowser(app);
  const page = await browser.get(link.slice('http://studio'.length));
  const newPassword = 'marble autumn railway';
  const reply = await browser.submit(formOn(page.payload, '/users/reset'), { 'user[password]': newPassword });
  assert.equal(reply.statusCode, 303, reply.payload);
  assert.equal((await logInWith(new FormBrowser(app), 'forgetful@example.org', newPassword)).statusCode, 303);
});

test('prints an API key once and alone; the key opens the API and is logged', async (t) => {
  const { app, context, run, add } = await openOperator(t);
  await add('owner@example.org');
  const made = await run(['token', 'create', 'owner@example.org', '--name', 'script', '--days', '30']);
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /^sst_[\w-]{43}\n$/);
  assert.match(made.err, /^scopes: read; expires: \d{4}-\d\d-\d\d\n$/);
  assert.equal((await askAccount(app, made.out.trim())).statusCode, 200);
  const entries = await context.db.selectFrom('audit_log').select(['action', 'actor_user_id']).execute();
  assert.deepEqual(entries, [{ action: 'api_key_created', actor_user_id: null }]);
  const odd = await run(['token', 'create', 'owner@example.org', '--name', 'script', '--days', '31']);
  assert.deepEqual([odd.code, odd.err], [1, 'days must be 30, 90, 365 or never\n']);
  const lasting = await run(
    ['token', 'create', 'owner@example.org', '--name', 'all'].concat(
      ['--scopes', 'tracks:write, jobs:read'],
      ['--days', 'never'],
    ),
  );
  assert.equal(lasting.err, 'scopes: tracks:write, jobs:read; expires: never\n');
  const wrong = await run(['token', 'create', 'owner@example.org', '--name', 'x', '--scopes', 'everything']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /^scopes must be among read, write, admin.* \(got everything\)$/m);
});

test('starts the built-in database for a command without a service, and stops it afterwards', async (t) => {
  const folder = await makeFolder(t);
  await chmod(folder, 0o755);
  const args = ['user', 'add', 'a@example.org', '--password-stdin'];
  const made = await runStudio(folder, args, {}, password);
  assert.deepEqual([made.code, made.err], [0, '']);
  const key = await runStudio(folder, ['token', 'create', 'a@example.org', '--name', 'x']);
  assert.equal(key.code, 0, key.err);
  assert.ok(!(await readdir(join(folder, 'data'))).includes('lock'));
  assert.ok(!(await readdir(join(folder, 'data', 'postgres'))).includes('postmaster.pid'));
});

test('commands use the database of a running service, and doctor reports no error', async (t) => {
  const folder = await makeFolder(t);
  await chmod(folder, 0o755);
  const env = { PORT: '0', LOG_LEVEL: 'silent' };
  const service = startStudio(folder, ['serve'], env);
  const closed = once(service, 'close');
  cleanUp(t, async () => {
    service.kill('SIGTERM');
    await closed;
  });
  let output = '';
  for (const stream of [service.stdout, service.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => void (output += piece));
  const isOver = () => service.exitCode !== null || service.signalCode !== null;
  await eventually(() => output.includes('Stem Studio: ') || isOver(), Boolean);
  const [address = ''] = /http:\/\/[\d.:]+/.exec(output) ?? [];
  assert.notEqual(address, '', output);
  await runStudio(folder, ['user', 'add', 'a@example.org', '--password-stdin'], env, password);
  const key = await runStudio(folder, ['token', 'create', 'a@example.org', '--name', 'x'], env);
  assert.equal(key.code, 0, key.err);
  const headers = { authorization: `Bearer ${key.out.trim()}` };
  assert.equal((await fetch(`${address}/api/account`, { headers })).status, 200);
  const examined = await runStudio(folder, ['doctor'], env);
  assert.equal(examined.code, 0, examined.out);
  assert.match(examined.out, /✔ service +running/);
  assert.match(examined.out, /✔ database +bundled PostgreSQL [\d.]+ in .*data.postgres, running/);
});

test('doctor reports every error, exits with 1 and prints no secret', async (t) => {
  const folder = await makeFolder(t);
  const secret = 'hunter2hunter2hunter2hunter2hunter2';
  const ran = await runStudio(folder, ['doctor'], {
    DATABASE_URL: `postgresql://me:${secret}@127.0.0.1:1/none`,
    SECRET_KEY: secret,
    CATALOG_FOLDER: join(folder, 'missing'),
    DOWNLOAD_TOOL: 'no-such-program',
  });
  assert.equal(ran.code, 1, ran.out);
  assert.match(ran.out, /✖ database +the PostgreSQL of DATABASE_URL cannot be reached \(ECONNREFUSED\)/);
  assert.match(ran.out, /✖ folder catalog/);
  assert.match(ran.out, /– download tool +there is no no-such-program/);
  assert.ok(!`${ran.out}${ran.err}`.includes(secret));
  const invalid = await runStudio(folder, ['doctor'], { PORT: 'x', SECRET_KEY: 'short' });
  assert.equal(invalid.code, 1);
  assert.match(invalid.err, /PORT must be a port.*\n.*SECRET_KEY must have at least 32 characters/s);
  assert.deepEqual(await readdir(folder), []);
});
