import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { cancelJob, getJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { downloadNetwork, listNetworks, removeNetwork } from '@stem-studio/contract/endpoints/networks';
import { getProcessingJob, listModels, separate } from '@stem-studio/contract/endpoints/processing';
import { writeInsideNetwork } from '@stem-studio/dsp/testing/known-networks';
import { downloadedBytes } from '../../../platform/http/resumable-download.ts';
import { findJob } from '../../../platform/queue/jobs.store.ts';
import { eventually } from '../../../testing/eventually.ts';
import { sendsAndHangs } from '../../../testing/file-host.ts';
import {
  filesBelow,
  type LibraryApp,
  listenTo,
  messagesToTheEnd,
  openLibrary,
  untilJob,
} from '../../../testing/library-steps.ts';
import { testWav } from '../../../testing/test-audio.ts';
import { hostedPath, openCatalogue, type TestNetwork, testNotice } from '../../../testing/test-catalogue.ts';
import { drainJobs } from '../../../testing/test-context.ts';
import { withDownloadLock } from './downloads-folder.ts';

type Lifetime = Parameters<typeof openLibrary>[0];

const four = writeInsideNetwork([0.2, 0.1, 0.2, 0.3]).graph;
const six = writeInsideNetwork([0.2, 0.1, 0.2, 0.3, 0.1, 0.1]).graph;
const plain: TestNetwork = { name: 'plain', files: [four], serves: ['alt_4', 'hybrid_4'] };
const scientific: TestNetwork = { name: 'scientific', files: [four], serves: ['hybrid_4'], mustAccept: true };

/** Opens the service with a mirror of these networks and an admin. */
async function open(t: Lifetime, networks: readonly TestNetwork[], config: Record<string, unknown> = {}) {
  const { host, path } = await openCatalogue(t, networks);
  const library = await openLibrary(t, {
    config: { modelCatalogue: path, modelMirrorUrl: host.url, ...config },
  });
  const admin = await library.registerUser('admin');
  const { modelsDir } = library.context.config;
  const request = (name: string, body: object = {}, as = admin) =>
    library.ask(downloadNetwork, { params: { name }, body }, as);
  const entry = async (name: string) => {
    const { networks: all } = (await library.ask(listNetworks, {}, admin)).body.data;
    const found = all.find((one) => one.name === name);
    assert.ok(found);
    return found;
  };
  const jobOf = async (id: string) => (await library.ask(getJob, { params: { id } }, admin)).body.data;
  /** Requests a network and runs its job. */
  const download = async (name: string, body: object = {}) => {
    const { job_id } = (await request(name, body)).body.data;
    await drainJobs(library.context);
    return jobOf(job_id);
  };
  /** Returns everything in the models folder but the locks. */
  const stored = async () =>
    (await filesBelow(modelsDir)).filter((file) => !file.endsWith('lock.sqlite') && !file.endsWith('lock'));
  return { host, library, admin, modelsDir, request, entry, jobOf, download, stored };
}

const modelsOf = async (library: LibraryApp) =>
  Object.fromEntries((await library.ask(listModels)).body.data.models.map((model) => [model.name, model]));

test('an admin downloads a network, which then serves its model, and removes it', async (t) => {
  const { library, admin, request, entry, jobOf, stored } = await open(t, [plain]);
  const before = await entry('plain');
  assert.deepEqual(
    [before.download_bytes, before.is_exact, before.partial_bytes, before.installed, before.job],
    [four.length, true, 0, [], null],
  );
  const events = listenTo(library.context, `library:${admin.id}`);
  const accepted = await request('plain');
  assert.equal(accepted.status, 200);
  const { job_id, model, status } = accepted.body.data;
  assert.deepEqual([model, status], ['alt_4', 'queued']);
  await drainJobs(library.context);
  const job = await jobOf(job_id);
  assert.deepEqual([job.type, job.status, job.error, job.track_id], ['network', 'completed', null, null]);
  const jobEvents = await messagesToTheEnd(events, job_id);
  assert.ok(jobEvents.some(({ message }) => /^The network plain: .+ of .+/.test(String(message))));

  const after = await entry('plain');
  assert.deepEqual(
    after.installed.map((one) => one.model),
    ['alt_4'],
  );
  assert.deepEqual([after.installed_bytes, after.partial_bytes, after.job], [four.length, 0, null]);
  const models = await modelsOf(library);
  assert.equal(models['alt_4']?.backend, 'onnx');
  assert.match(
    models['alt_4']?.description ?? '',
    /by the network The network plain\. Licence: a test licence/,
  );
  assert.equal(models['hybrid_4']?.backend, 'spectral');
  const track = await library.addTrack(await testWav({ seconds: 0.5 }));
  const { job_id: id } = (await library.ask(separate, { body: { track_id: track.id, model: 'alt_4' } })).body
    .data;
  await drainJobs(library.context);
  const separation = (await library.ask(getProcessingJob, { params: { id } })).body.data;
  assert.deepEqual([separation.backend, separation.stems.length], ['onnx', 4]);

  const removed = await library.ask(removeNetwork, { params: { name: 'plain' } }, admin);
  assert.equal(removed.body.data.freed_bytes, four.length);
  assert.deepEqual(await stored(), []);
  assert.equal((await modelsOf(library))['alt_4']?.backend, 'spectral');
});

test('a network whose terms must be accepted is not downloaded without that', async (t) => {
  const { library, host, request, entry, download } = await open(t, [scientific]);
  const refused = await request('scientific');
  assert.deepEqual([refused.status, refused.error.code], [422, 'LICENCE_NOT_ACCEPTED']);
  assert.ok(refused.error.error.includes(testNotice));
  assert.equal(host.ranges.length, 0);
  const shown = await entry('scientific');
  assert.deepEqual([shown.licence.must_accept, shown.licence.notice], [true, testNotice]);
  assert.equal((await download('scientific', { accept_licence: true })).status, 'completed');
  const rows = await library.context.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'network_requested')
    .execute();
  assert.deepEqual(rows, [
    { details: { network: 'scientific', model: 'hybrid_4', is_licence_accepted: true } },
  ]);
});

test('refuses a user, an unknown network and a model that it cannot serve', async (t) => {
  const { library, request } = await open(t, [plain]);
  assert.equal((await request('plain', {}, library.user)).status, 403);
  assert.equal((await request('nothing')).status, 404);
  const wrong = await request('plain', { model: 'hybrid_6' });
  assert.deepEqual(wrong.error.details, { model: ['must be alt_4 or hybrid_4 (got hybrid_6)'] });
});

test('a cancelled download keeps what has arrived and a retry continues it', async (t) => {
  const { library, host, admin, request, entry, jobOf, modelsDir } = await open(t, [plain]);
  const { context } = library;
  const half = Math.floor(four.length / 2);
  host.behaviour = sendsAndHangs(half);
  const { job_id: id } = (await request('plain')).body.data;
  await context.queue.start(context);
  await eventually(
    () => downloadedBytes(join(modelsDir, '.downloads', 'plain', 'file-1')),
    (bytes) => bytes === half,
  );
  assert.equal((await entry('plain')).partial_bytes, half);
  assert.equal(
    (await library.ask(removeNetwork, { params: { name: 'plain' } }, admin)).error.code,
    'NETWORK_BUSY',
  );
  assert.equal((await library.ask(cancelJob, { params: { id } }, admin)).status, 204);
  assert.equal((await jobOf(id)).error, 'cancelled');
  assert.deepEqual((await entry('plain')).installed, []);
  host.behaviour = null;
  const again = (await library.ask(retryJob, { params: { id } }, admin)).body.data;
  await untilJob(context, again.id, 'completed');
  assert.equal(host.ranges.at(-1), `bytes=${half}-`);
  assert.equal((await entry('plain')).partial_bytes, 0);
  assert.deepEqual(await readdir(join(modelsDir, '.downloads', 'plain')), ['lock.sqlite']);
});

test('the same network is downloaded once, also when another process downloads it', async (t) => {
  const { library, request, host } = await open(t, [plain]);
  const other = await library.registerUser('admin');
  const [first, second] = [await request('plain'), await request('plain', {}, other)];
  assert.deepEqual([first.status, second.status], [200, 200]);
  const { job_id: id } = first.body.data;
  assert.equal(second.body.data.job_id, id);
  await withDownloadLock(library.context.config, 'plain', async () => {
    await library.context.queue.start(library.context);
    await eventually(
      () => findJob(library.context.db, id),
      (job) => job?.status === 'queued' && job.message === 'waiting for another download of it',
    );
    assert.equal(host.ranges.length, 0);
  });
  await untilJob(library.context, id, 'completed');
  assert.equal(host.ranges.length, 1);
});

test('rejects files that cannot serve the model and keeps the built-in engine', async (t) => {
  const altered: TestNetwork = { name: 'altered', files: [four], serves: ['hybrid_4'] };
  const shapeless: TestNetwork = { name: 'shapeless', files: [six], serves: ['hybrid_4'] };
  const text: TestNetwork = { name: 'text', files: [Buffer.from('no network')], serves: ['hybrid_4'] };
  const { library, host, download, entry, stored } = await open(t, [altered, shapeless, text]);
  const other = Buffer.from(four);
  other[100] = (other[100] as number) ^ 1;
  host.files.set(hostedPath('altered'), { bytes: other, etag: '"2"' });
  for (const [name, rule] of [
    ['altered', /its SHA-256 must be/],
    ['shapeless', /must give 4 stems \(.*gives 6\)/],
    ['text', /must be an ONNX file/],
  ] as const) {
    const job = await download(name);
    assert.equal(job.status, 'failed');
    assert.match(job.error ?? '', rule);
    const shown = await entry(name);
    assert.deepEqual([shown.installed, shown.job?.error], [[], job.error]);
  }
  const left = await stored();
  assert.ok(
    left.every((file) => file.startsWith('.downloads')),
    String(left),
  );
  assert.equal((await modelsOf(library))['hybrid_4']?.backend, 'spectral');
});

test('refuses a download that does not fit on the disk before it begins', async (t) => {
  const { host, request, jobOf, library } = await open(t, [plain], { diskMarginBytes: 2 ** 62 });
  const { job_id } = (await request('plain')).body.data;
  await drainJobs(library.context);
  const { status, error, message } = await jobOf(job_id);
  assert.match(`${status} ${error} ${message}`, /disk space/i);
  assert.equal(host.ranges.length, 0);
});

test('a hanging server fails the job with its name after some attempts and keeps what has arrived', async (t) => {
  const { host, request, entry, jobOf, library } = await open(t, [plain], { modelReplySeconds: 1 });
  const half = Math.floor(four.length / 2);
  host.behaviour = (incoming, reply, file) =>
    incoming.headers.range === undefined ? sendsAndHangs(half)(incoming, reply, file) : true;
  const { job_id } = (await request('plain')).body.data;
  await drainJobs(library.context);
  const { status, error } = await jobOf(job_id);
  assert.equal(status, 'failed');
  assert.match(error ?? '', /files\.example\.org sends nothing for 1 s/);
  assert.equal((await entry('plain')).partial_bytes, half);
});
