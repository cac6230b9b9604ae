import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { analyze } from '@stem-studio/contract/endpoints/analysis';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { pause } from '../../platform/clock.ts';
import { closeTopic } from '../../platform/socket/close-sockets.ts';
import {
  askAccount,
  confirmDeletion,
  deleteAccountPath,
  goodPassword,
  logInWith,
  registeredBrowser,
  registerWithKey,
} from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import { listenTo, openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { createStillClock } from '../../testing/test-clock.ts';
import { drainJobs, type TestOverrides } from '../../testing/test-context.ts';

const email = 'mira@example.org';

/** Opens the whole service with a user who has a browser and a key. */
async function openWithUser(t: TestContext, overrides: TestOverrides = {}) {
  const library = await openLibrary(t, overrides);
  const { as: mira, ...opened } = await registerWithKey(library, email);
  const confirm = (confirmation: string) => confirmDeletion(opened.browser, confirmation);
  return { ...library, ...opened, mira, confirm };
}

test('the page lists what is deleted and what stays before an account is deleted', async (t) => {
  const { browser } = await openWithUser(t);
  const settings = await browser.get('/users/settings');
  assert.match(settings.payload, new RegExp(`href="${deleteAccountPath}"`));
  const page = await browser.get(deleteAccountPath);
  for (const word of ['tracks', 'stems', 'API keys', 'another user', 'audit log', '/export/account'])
    assert.ok(page.payload.includes(word), word);
});

test('an account is deleted with its logins, keys, sockets, jobs, tracks and files; the audit log stays', async (t) => {
  const opened = await openWithUser(t);
  const { app, context, browser, key, id, mira } = opened;
  const elsewhere = new FormBrowser(app);
  await logInWith(elsewhere, email, goodPassword);
  const track = await opened.addTrack(await testWav({ seconds: 0.5 }), 'mine.wav', mira);
  const hidden = await opened.addTrack(await testWav({ seconds: 0.6 }), 'hidden.wav', mira);
  await opened.ask(separate, { body: { track_id: track.id } }, mira);
  await opened.ask(analyze, { body: { track_id: track.id } }, mira);
  await drainJobs(context);
  await opened.ask(deleteTrack, { params: { id: hidden.id } }, mira);
  const waiting = await opened.ask(separate, { body: { track_id: track.id, preview: true } }, mira);
  await opened.upload(await testWav({ seconds: 0.7 }), 'unprepared.wav', mira);
  assert.ok((await opened.storedFiles()).length >= 3 + 4 + 3 + 1);
  const closed = listenTo(context, closeTopic);
  const events = listenTo(context, `jobs:${waiting.body.data.job_id}`);

  const reply = await opened.confirm(goodPassword);
  assert.equal(reply.statusCode, 303, reply.payload);
  assert.equal(reply.headers.location, '/users/log-in');
  assert.match((await browser.get('/users/log-in')).payload, /Your account and everything in it is deleted/);
  assert.deepEqual(await opened.storedFiles(), []);
  for (const table of [
    'tracks',
    'track_counts',
    'jobs',
    'stems',
    'analyses',
    'audio_sources',
    'login_sessions',
    'folders_to_delete',
  ] as const)
    assert.deepEqual(await context.db.selectFrom(table).selectAll().execute(), [], table);
  const keys = await context.db.selectFrom('api_keys').select('user_id').execute();
  assert.ok(keys.every((row) => row.user_id !== id));
  assert.equal((await askAccount(app, key)).statusCode, 401);
  assert.equal((await elsewhere.get('/users/settings')).statusCode, 303);
  assert.equal((await logInWith(elsewhere, email, goodPassword)).statusCode, 422);
  // Messages between processes arrive shortly afterwards, in the order in which they were sent.
  while (events.length === 0 || closed.length === 0) await pause(5);
  assert.ok(closed.some(({ payload }) => payload['user_id'] === id));
  assert.equal(events.at(-1)?.payload['error'], 'cancelled');
  assert.equal(await drainJobs(context), 0, 'nothing of it waits in the queue');
  const [entry] = await context.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'user_deleted')
    .execute();
  assert.deepEqual([entry?.actor_user_id, entry?.target_user_id, entry?.details], [id, id, {}]);
  await registeredBrowser(app, email);
});

test("audio shared with another user stays, and so do that user's tracks", async (t) => {
  const opened = await openWithUser(t);
  const bytes = await testWav({ seconds: 0.5 });
  await opened.addTrack(bytes, 'mine.wav', opened.mira);
  const theirs = await opened.addTrack(bytes, 'theirs.wav');
  const before = await opened.storedFiles();
  await opened.confirm(goodPassword);
  assert.deepEqual(await opened.storedFiles(), before);
  const left = await opened.context.db.selectFrom('tracks').select('id').execute();
  assert.deepEqual(left, [{ id: theirs.id }]);
});

test('a wrong password deletes nothing, and attempts are counted', async (t) => {
  // Attempts are counted per minute: the clock stands still so that the minute does not end.
  const { browser, confirm, context } = await openWithUser(t, { clock: createStillClock() });
  const refused = await confirm('not the password');
  assert.equal(refused.statusCode, 422);
  assert.match(refused.payload, /Current password is wrong/);
  for (let i = 0; i < 9; i++) await confirm('not the password');
  const limited = await confirm(goodPassword);
  assert.equal(limited.statusCode, 429);
  assert.match(limited.payload, /Too many attempts/);
  assert.equal((await browser.get('/users/settings')).statusCode, 200);
  assert.equal((await context.db.selectFrom('users').selectAll().execute()).length, 2);
});

test('a user without a password types their email address instead', async (t) => {
  const { confirm, context, id, browser } = await openWithUser(t);
  await context.db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute();
  assert.match(
    (await browser.get(deleteAccountPath)).payload,
    /You have no password here: type mira@example\.org/,
  );
  assert.equal((await confirm('')).statusCode, 422);
  assert.equal((await confirm(' Mira@Example.org ')).statusCode, 303);
});

test('the last platform_admin cannot be deleted and sees the reason', async (t) => {
  const { browser, context, id, confirm } = await openWithUser(t);
  const form = formOn((await browser.get(deleteAccountPath)).payload, deleteAccountPath);
  await context.db.updateTable('users').set({ role: 'platform_admin' }).where('id', '=', id).execute();
  assert.match((await browser.get(deleteAccountPath)).payload, /This is the last platform_admin/);
  const refused = await browser.submit(form, { confirmation: goodPassword });
  assert.equal(refused.statusCode, 422);
  assert.match(refused.payload, /This is the last platform_admin/);
  assert.equal((await browser.get('/users/settings')).statusCode, 200);
  const other = await context.db
    .insertInto('users')
    .values({ email: 'ada@example.org', password_hash: '-', role: 'platform_admin', created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await context.db.updateTable('users').set({ status: 'deactivated' }).where('id', '=', other.id).execute();
  assert.equal((await browser.submit(form, { confirmation: goodPassword })).statusCode, 422, 'not active');
  await context.db.updateTable('users').set({ status: 'active' }).where('id', '=', other.id).execute();
  assert.equal((await confirm(goodPassword)).statusCode, 303);
});

test('two simultaneous deletions delete once', async (t) => {
  const { browser, app, context } = await openWithUser(t);
  const form = formOn((await browser.get(deleteAccountPath)).payload, deleteAccountPath);
  const other = new FormBrowser(app);
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  const replies = await Promise.all([
    browser.submit(form, { confirmation: goodPassword }),
    other.submit(form, { confirmation: goodPassword }),
  ]);
  for (const reply of replies) assert.ok(reply.statusCode < 500, reply.payload);
  const entries = await context.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'user_deleted')
    .execute();
  assert.equal(entries.length, 1);
});

test('a job that has lost its lease does not block deletion', async (t) => {
  const opened = await openWithUser(t);
  await opened.upload(await testWav({ seconds: 0.5 }), 'x.wav', opened.mira);
  await opened.context.db.updateTable('jobs').set({ queue_id: null }).execute();
  assert.equal((await opened.confirm(goodPassword)).statusCode, 303);
  assert.deepEqual(await opened.context.db.selectFrom('jobs').selectAll().execute(), []);
});
