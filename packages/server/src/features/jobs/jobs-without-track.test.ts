import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicOf } from '@stem-studio/contract/channel';
import { listAllJobs } from '@stem-studio/contract/endpoints/admin';
import { cancelJob, getJob, listJobs, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { listTracks } from '@stem-studio/contract/endpoints/tracks';
import { jobChannel } from '@stem-studio/contract/events/job-progress';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { job as jobSchema } from '@stem-studio/contract/resources/job';
import { z } from 'zod';
import { features } from '../../features.ts';
import { pipeline } from '../../pipeline.ts';
import { storedJson } from '../../platform/db/stored-json.ts';
import { createLog } from '../../platform/log.ts';
import type { JobSubject, JobSubjectPolicy } from '../../platform/queue/job-subject.ts';
import { requestJob, requestJobOnce } from '../../platform/queue/jobs.ts';
import { requeueUnfinishedJobs } from '../../platform/queue/requeue-jobs.ts';
import { done, type Verdict } from '../../platform/queue/verdict.ts';
import { defineWorker, type JobRun } from '../../platform/queue/worker.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { readZip } from '../../testing/read-zip.ts';
import { connectClient, joined, socketUrl, until } from '../../testing/socket-client.ts';
import { drainJobs, type TestLifetime, type TestOverrides } from '../../testing/test-context.ts';
import type { TestUser } from '../../testing/test-user.ts';
import { requireQuota } from '../quotas/index.ts';

type Args = { readonly n: number };

/** Opens the whole service with a test worker for jobs of the type "notes", which have no track. */
async function open(
  t: TestLifetime,
  perform: (args: Args, run: JobRun) => Promise<Verdict> = () => Promise.resolve(done()),
  options: TestOverrides & { readonly policy?: JobSubjectPolicy } = {},
) {
  const worker = defineWorker<Args>({
    type: 'notes',
    args: storedJson('test job', z.strictObject({ n: z.int() })),
    concurrency: () => 1,
    attempts: 2,
    runningStatus: 'processing',
    perform,
  });
  const { policy, ...overrides } = options;
  const mounted = features.map((feature) =>
    feature.name === 'notes'
      ? { ...feature, workers: [worker], jobSubjects: policy ? [policy] : [] }
      : feature,
  );
  const library = await openLibrary(t, { ...overrides, features: mounted, pipeline });
  const requestOf = (n: number, user: TestUser, subject: JobSubject | null) =>
    ({ type: 'notes', user_id: user.id, subject, args: { n } }) as const;
  const request = async (n = 1, user = library.user, subject: JobSubject | null = null) =>
    (
      await library.context.db
        .transaction()
        .execute((tx) => requestJob(library.context, tx, requestOf(n, user, subject)))
    ).id;
  return { library, worker, request, requestOf };
}

test('a job without a track runs to completion, with progress on both sockets', async (t) => {
  const { library, request } = await open(t, async ({ n }, run) => {
    assert.deepEqual([n, run.subject], [7, null]);
    await run.report({ progress: 50, message: 'half of it' });
    return done();
  });
  const address = await library.service.listen(0, '127.0.0.1');
  const socket = connectClient(t, socketUrl(address), { params: { token: library.user.token } });
  const id = await request(7);
  const events: Record<string, unknown[]> = { job: [], library: [] };
  for (const [name, topic] of [
    ['job', topicOf(jobChannel, { job_id: id })],
    ['library', topicOf(libraryChannel, { user_id: library.user.id })],
  ] as const) {
    const one = socket.channel(topic);
    one.on('job_progress', (payload) => {
      const { job_id, track_id, status, progress } = jobChannel.pushes.job_progress.parse(payload);
      // The request itself may be reported after the join.
      if (status !== 'queued') events[name]?.push([job_id, track_id, status, progress]);
    });
    const { status, response } = await joined(one);
    assert.equal(status, 'ok');
    if (name === 'job') assert.equal(response['track_id'], null);
  }
  await drainJobs(library.context);
  const expected = [
    [id, null, 'processing', 0],
    [id, null, 'processing', 50],
    [id, null, 'completed', 100],
  ];
  await until(
    () => events['job']?.length === 3 && events['library']?.length === 3,
    () => events,
  );
  assert.deepEqual(events, { job: expected, library: expected });
  const shown = (await library.ask(getJob, { params: { id } })).body.data;
  assert.deepEqual([shown.track_id, shown.track_title, shown.status], [null, '', 'completed']);
});

test('a job without a track can be read, cancelled and retried by its owner and is 404 for others', async (t) => {
  const { library, request } = await open(t);
  const stranger = await library.registerUser();
  const admin = await library.registerUser('admin');
  const address = await library.service.listen(0, '127.0.0.1');
  const id = await request();
  const params = { id };
  const topic = topicOf(jobChannel, { job_id: id });
  const join = async ({ token }: TestUser) =>
    (await joined(connectClient(t, socketUrl(address), { params: { token } }).channel(topic))).status;
  assert.deepEqual(
    [await join(library.user), await join(admin), await join(stranger)],
    ['ok', 'ok', 'error'],
  );
  for (const spec of [getJob, cancelJob, retryJob])
    assert.equal((await library.ask(spec, { params }, stranger)).status, 404);
  assert.equal((await library.ask(getJob, { params }, admin)).status, 200);
  assert.equal((await library.ask(cancelJob, { params })).status, 204);
  assert.equal(await drainJobs(library.context), 0);
  assert.equal((await library.ask(retryJob, { params }, admin)).status, 404);
  const again = await library.ask(retryJob, { params });
  assert.deepEqual([again.status, again.body.data.track_id], [201, null]);
  const twice = await library.ask(retryJob, { params });
  assert.deepEqual([twice.status, twice.body.data.id], [200, again.body.data.id]);
  assert.equal(await drainJobs(library.context), 1);
});

test('a running job without a track is interrupted by a cancel', async (t) => {
  const begun = Promise.withResolvers<void>();
  const interrupted = Promise.withResolvers<void>();
  const { library, request } = await open(t, async (_args, run) => {
    run.signal.addEventListener('abort', () => interrupted.resolve());
    begun.resolve();
    await interrupted.promise;
    return done();
  });
  await library.context.queue.start(library.context);
  const id = await request();
  await begun.promise;
  assert.equal((await library.ask(cancelJob, { params: { id } })).status, 204);
  await interrupted.promise;
  assert.equal((await library.ask(getJob, { params: { id } })).body.data.error, 'cancelled');
});

test('jobs without a track are in the lists of their owner and the admin, and in no list of tracks', async (t) => {
  const { library, request } = await open(t);
  const stranger = await library.registerUser();
  const admin = await library.registerUser('admin');
  const ids = [await request(1), await request(2)];
  await request(3, stranger);
  const { data, meta } = (await library.ask(listJobs, { query: { type: 'notes' } })).body;
  assert.deepEqual(
    data.map(({ id, track_id }) => [id, track_id]),
    ids.toReversed().map((id) => [id, null]),
  );
  assert.equal(meta.total_count, 2);
  const all = (await library.ask(listAllJobs, {}, admin)).body.data;
  assert.deepEqual(
    all.jobs.map(({ track_id, user_email }) => [track_id, user_email]),
    [stranger, library.user, library.user].map(({ email }) => [null, email]),
  );
  assert.equal(all.queues.find(({ type }) => type === 'notes')?.queued, 3);
  assert.equal((await library.ask(listTracks)).body.meta.total_count, 0);

  const reply = await library.app.inject({
    method: 'GET',
    url: '/export/account',
    headers: library.user.headers,
  });
  const text = readZip(reply.rawPayload).get('jobs.json')?.toString('utf8') ?? '';
  const exported = z.array(jobSchema).parse(JSON.parse(text));
  assert.deepEqual(
    exported.map(({ id, track_id }) => [id, track_id]),
    ids.map((id) => [id, null]),
  );
});

test("jobs without a track alternate between users and count towards their owner's quota", async (t) => {
  const starts: number[] = [];
  const { library, request } = await open(t, ({ n }) => {
    starts.push(n);
    return Promise.resolve(done());
  });
  const other = await library.registerUser();
  for (const n of [1, 2, 3]) await request(n);
  await request(10, other);
  const { context, user } = library;
  await context.db.insertInto('user_quotas').values({ user_id: user.id, queued_jobs: 3 }).execute();
  const more = context.db
    .transaction()
    .execute((tx) => requireQuota(context, tx, user.id, { what: 'this', jobs: 1 }));
  await assert.rejects(more, { code: 'QUOTA_EXCEEDED' });
  await drainJobs(context);
  assert.deepEqual(
    starts.toSorted((a, b) => a - b),
    [1, 2, 3, 10],
  );
  assert.ok(starts.indexOf(10) <= 1, `the order was ${starts.join()}`);
  await context.db
    .transaction()
    .execute((tx) => requireQuota(context, tx, user.id, { what: 'this', jobs: 1 }));
});

test('identical work without a track is requested once per user', async (t) => {
  const { library, requestOf } = await open(t);
  const other = await library.registerUser();
  const { context } = library;
  const once = (user: TestUser) =>
    context.db
      .transaction()
      .execute((tx) => requestJobOnce(context, tx, requestOf(1, user, null), () => true));
  const answers = await Promise.all([once(library.user), once(library.user), once(other)]);
  const [first, second, others] = answers.map(({ existing }) => existing);
  assert.deepEqual([[first, second].filter(Boolean).length, others], [1, false]);
  assert.equal(await drainJobs(context), 2);
});

test('waiting jobs without a track are queued again after a restore', async (t) => {
  const { library, worker, request } = await open(t);
  const { context } = library;
  const id = await request();
  assert.equal(await requeueUnfinishedJobs(context.connection, [worker], createLog('silent')), 1);
  assert.equal(await drainJobs(context), 1);
  assert.equal((await library.ask(getJob, { params: { id } })).body.data.status, 'completed');
});

test('the feature that owns a kind of subject decides the permissions of its jobs', async (t) => {
  const policy: JobSubjectPolicy = {
    kind: 'set',
    allows: (_context, _viewer, _id, action) => Promise.resolve(action !== 'cancel'),
    requireRetryable: () => Promise.resolve(),
  };
  const { library, request } = await open(t, undefined, { policy });
  const subject = { kind: 'set', id: '00000000-0000-4000-8000-000000000001' };
  const params = { id: await request(1, library.user, subject) };
  const { data } = (await library.ask(getJob, { params })).body;
  assert.deepEqual([data.track_id, data.status], [null, 'queued']);
  assert.equal((await library.ask(cancelJob, { params })).status, 404);
  assert.equal(await drainJobs(library.context), 1);
});
