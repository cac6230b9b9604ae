import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAccount } from '@stem-studio/contract/endpoints/account';
import { listAllJobs, listUsers, updateUser } from '@stem-studio/contract/endpoints/admin';
import { cancelJob } from '@stem-studio/contract/endpoints/jobs';
import { deleteTrack, getTrack, updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { type LibraryApp, openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import type { TestLifetime } from '../../testing/test-context.ts';

async function openWithAdmins(t: TestLifetime) {
  const library = await openLibrary(t);
  const admin = await library.registerUser('admin');
  const platform = await library.registerUser('platform_admin');
  const change = (id: number | string, body: unknown, as = admin) =>
    library.ask(updateUser, { params: { id }, body }, as);
  const audit = async () => {
    const rows = await library.context.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
    return rows.map((row) => [row.action, row.actor_user_id, row.target_user_id, row.details]);
  };
  return { library, user: library.user, admin, platform, change, audit };
}

const emailsOf = async (
  library: LibraryApp,
  query: Record<string, string | number>,
  as: LibraryApp['user'],
) => (await library.ask(listUsers, { query }, as)).body.data.map((user) => user.email);

test('users get 403 from every admin endpoint, and admins are served', async (t) => {
  const { library, user, admin, platform } = await openWithAdmins(t);
  for (const spec of [listUsers, listAllJobs]) {
    assert.equal((await library.ask(spec, {}, user)).status, 403);
    for (const somebody of [admin, platform])
      assert.equal((await library.ask(spec, {}, somebody)).status, 200);
  }
  const refused = await library.ask(updateUser, { params: { id: admin.id }, body: { role: 'user' } }, user);
  assert.deepEqual([refused.status, refused.error.code], [403, 'FORBIDDEN']);
});

test('users are listed with roles and status in pages, filtered and sorted', async (t) => {
  const { library, user, admin, platform, change } = await openWithAdmins(t);
  const all = (await library.ask(listUsers, { query: { page_size: 2 } }, admin)).body;
  assert.deepEqual(all.meta, { page: 1, page_size: 2, total_count: 3, total_pages: 2 });
  assert.deepEqual(
    all.data.map(({ id, role, status }) => [id, role, status]),
    [
      [platform.id, 'platform_admin', 'active'],
      [admin.id, 'admin', 'active'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(all), /password|hash/);
  assert.deepEqual(await emailsOf(library, { sort: 'role' }, admin), [
    user.email,
    admin.email,
    platform.email,
  ]);
  assert.deepEqual(
    await emailsOf(library, { sort: '-last_active_at' }, admin).then((list) => list[0]),
    admin.email,
  );
  assert.deepEqual(await emailsOf(library, { q: user.email.toUpperCase() }, admin), [user.email]);
  assert.deepEqual(await emailsOf(library, { q: '%' }, admin), []);
  assert.deepEqual(await emailsOf(library, { role: 'admin' }, admin), [admin.email]);
  await change(user.id, { status: 'deactivated' });
  assert.deepEqual(await emailsOf(library, { status: 'deactivated' }, admin), [user.email]);
  for (const [name, value] of Object.entries({
    sort: 'password_hash',
    role: 'god',
    status: 'x',
    page: 0,
    a: 1,
  })) {
    const reply = await library.ask(listUsers, { query: { [name]: value } }, admin);
    assert.deepEqual([reply.status, Object.keys(reply.error.details ?? {})], [422, [name]]);
  }
});

test('an admin changes the roles user and admin with immediate effect and an audit entry', async (t) => {
  const { library, user, admin, change, audit } = await openWithAdmins(t);
  const promoted = await change(user.id, { role: 'admin' });
  assert.deepEqual([promoted.status, promoted.body.data.role], [200, 'admin']);
  assert.equal((await library.ask(listUsers, {}, user)).status, 200);
  await change(user.id, { role: 'admin' });
  await change(user.id, { role: 'user' });
  assert.equal((await library.ask(listUsers, {}, user)).status, 403);
  assert.deepEqual(await audit(), [
    ['user_role_changed', admin.id, user.id, { old_role: 'user', new_role: 'admin' }],
    ['user_role_changed', admin.id, user.id, { old_role: 'admin', new_role: 'user' }],
  ]);
});

test('a deactivated user is rejected from the next request on, until reactivated', async (t) => {
  const { library, user, admin, change, audit } = await openWithAdmins(t);
  assert.equal((await change(user.id, { status: 'deactivated' })).body.data.status, 'deactivated');
  assert.equal((await library.ask(getAccount, {}, user)).status, 401);
  await change(user.id, { status: 'deactivated' });
  assert.equal((await change(user.id, { status: 'active' })).body.data.status, 'active');
  assert.equal((await library.ask(getAccount, {}, user)).status, 200);
  assert.deepEqual(await audit(), [
    ['user_deactivated', admin.id, user.id, {}],
    ['user_activated', admin.id, user.id, {}],
  ]);
});

test('an admin cannot change a platform_admin, create one, or change their own account', async (t) => {
  const { user, admin, platform, change, audit } = await openWithAdmins(t);
  for (const body of [{ role: 'user' }, { status: 'deactivated' }, { status: 'active' }]) {
    assert.equal((await change(platform.id, body)).status, 403);
    const own = await change(admin.id, body);
    assert.deepEqual([own.status, own.error.code], [422, 'OWN_ACCOUNT']);
  }
  const crowned = await change(user.id, { role: 'platform_admin' });
  assert.deepEqual([crowned.status, crowned.error.code], [422, 'VALIDATION_ERROR']);
  assert.match(crowned.error.details?.['role']?.[0] ?? '', /command line only/);
  assert.deepEqual((await change(user.id, {})).status, 422);
  assert.equal((await change(user.id, { password: 'x' })).status, 422);
  assert.equal((await change(999_999, { role: 'user' })).status, 404);
  for (const id of ['0', '-1', '1.5', 'me', '99999999999'])
    assert.equal((await change(id, { role: 'user' })).status, 404);
  assert.deepEqual(await audit(), []);
});

test('when two platform admins demote each other at the same time, one remains', async (t) => {
  const { library, platform, change } = await openWithAdmins(t);
  const other = await library.registerUser('platform_admin');
  const replies = await Promise.all([
    change(other.id, { role: 'user' }, platform),
    change(platform.id, { status: 'deactivated' }, other),
  ]);
  assert.deepEqual(
    replies.map((reply) => reply.status).toSorted((a, b) => a - b),
    [200, 403],
  );
  const left = await library.context.db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'platform_admin')
    .where('status', '=', 'active')
    .execute();
  assert.equal(left.length, 1);
});

test("admins see all users' work, may cancel it, and may change nothing else", async (t) => {
  const { library, user, admin } = await openWithAdmins(t);
  const queued = (await library.upload(await testWav({ seconds: 0.1 }), 'one.wav')).body.data;
  const { body } = await library.ask(listAllJobs, { query: { status: 'queued' } }, admin);
  assert.deepEqual(body.meta, { page: 1, page_size: 20, total_count: 1, total_pages: 1 });
  assert.deepEqual(
    body.data.jobs.map((job) => [job.id, job.user_id, job.user_email, job.track_title]),
    [[queued.job_id, user.id, user.email, 'one']],
  );
  const downloads = body.data.queues.find((queue) => queue.type === 'download');
  assert.deepEqual([downloads?.queued, downloads?.running, downloads?.failed_last_day], [1, 0, 0]);
  assert.ok(downloads?.oldest_queued_at);
  const params = { id: queued.track_id };
  assert.equal((await library.ask(getTrack, { params }, admin)).status, 200);
  assert.equal((await library.ask(updateTrack, { params, body: { title: 'x' } }, admin)).status, 404);
  assert.equal((await library.ask(deleteTrack, { params }, admin)).status, 404);
  assert.equal((await library.ask(cancelJob, { params: { id: queued.job_id } }, admin)).status, 204);
  const after = (await library.ask(listAllJobs, { query: { user_id: user.id, type: 'download' } }, admin))
    .body;
  assert.deepEqual(
    after.data.jobs.map((job) => [job.status, job.error]),
    [['failed', 'cancelled']],
  );
  assert.equal(after.data.queues.find((queue) => queue.type === 'download')?.failed_last_day, 1);
  assert.deepEqual(
    (await library.ask(listAllJobs, { query: { user_id: admin.id } }, admin)).body.data.jobs,
    [],
  );
});
