// Tests a client that uses only the specification: plain HTTP and the public phoenix client. It imports nothing of
// this project except what starts the service.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Socket } from 'phoenix';
import { z } from 'zod';
import { type Studio, startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';

const studioCommand = path.resolve(import.meta.dirname, '../packages/server/src/cli/studio.ts');
const person = { email: 'client@example.org', password: 'seven quiet lanterns' };
const jobLimitMs = 180_000;

// Reply fields that the specification documents.
const progressMessage = z.object({
  status: z.enum(['queued', 'downloading', 'processing', 'completed', 'failed']),
  progress: z.int().min(0).max(100),
  message: z.string(),
});
const uuid = z.uuid();
const accepted = z.object({ data: z.object({ job_id: uuid, track_id: uuid, status: z.string() }) });
const failure = z.object({ error: z.string(), code: z.string() });
const trackFields = z.object({
  id: uuid,
  catalog_id: z.string(),
  title: z.string(),
  artist: z.string(),
  album: z.string(),
  duration: z.int(),
  catalog_url: z.string(),
});
const listMeta = z.object({
  page: z.int(),
  page_size: z.int(),
  total_count: z.int(),
  total_pages: z.int(),
});
const exported = z.object({
  track_id: uuid,
  title: z.string(),
  artist: z.string(),
  analysis: z.object({
    tempo: z.number(),
    key: z.string(),
    energy: z.number(),
    spectral_centroid: z.number(),
    features: z.object({ mfcc: z.array(z.array(z.number())), chroma: z.array(z.array(z.number())) }),
  }),
});

/** Runs the documented command line tool on the data of the running service and returns its output. */
async function studio(running: Studio, args: string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [studioCommand, ...args], {
    cwd: path.dirname(running.dataDir),
    env: { PATH: process.env.PATH ?? '', DATA_DIR: running.dataDir },
  });
  child.stdin.end(input);
  const [printed, complaint, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  assert.equal(code, 0, complaint);
  return printed;
}

/** Returns a client with a token that checks the rate limit headers of each reply. */
function clientOf(url: string, token: string) {
  return async function call(method: string, route: string, body?: object): Promise<Response> {
    const reply = await fetch(`${url}${route}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    for (const header of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
      assert.match(reply.headers.get(header) ?? '', /^\d+$/, `${method} ${route}: ${header}`);
    return reply;
  };
}

async function read<T>(schema: z.ZodType<T>, reply: Response, status = 200): Promise<T> {
  const body = await reply.text();
  assert.equal(reply.status, status, body);
  return schema.parse(JSON.parse(body));
}

/**
 * Joins `jobs:<job_id>` and returns all progress messages once the job has ended. Rejects if the job fails or hangs.
 */
function followJob(socket: Socket, jobId: string): Promise<z.infer<typeof progressMessage>[]> {
  return new Promise((resolve, reject) => {
    const messages: z.infer<typeof progressMessage>[] = [];
    const topic = socket.channel(`jobs:${jobId}`);
    const hang = setTimeout(
      () => reject(new Error(`the job does not end; its messages: ${JSON.stringify(messages)}`)),
      jobLimitMs,
    );
    const onProgress = (payload: unknown) => {
      const message = progressMessage.parse(payload);
      messages.push(message);
      if (message.status !== 'failed' && message.status !== 'completed') return;
      clearTimeout(hang);
      if (message.status === 'failed') reject(new Error(message.message));
      else resolve(messages);
    };
    topic.on('job_progress', onProgress);
    topic.join().receive('error', (reason) => reject(new Error(JSON.stringify(reason))));
  });
}

test('a client written from the specification imports a link and exports its stems', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stem-studio-walk-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, 'The Band', 'First'), { recursive: true });
  await writeFile(path.join(folder, 'The Band', 'First', 'Small Song.wav'), smallSong(12));
  // Follow-up jobs are off, because this client starts each step itself.
  const settings = { CATALOG_FOLDER: folder, AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' };
  // Service and command line find the database in the data folder.
  const running = await startStudio(t, settings, { hasOwnPostgres: true });
  await studio(running, ['user', 'add', person.email, '--password-stdin'], `${person.password}\n`);
  const token =
    /sst_[\w-]{43}/.exec(
      await studio(running, ['token', 'create', person.email, '--name', 'walk', '--scopes', 'read,write']),
    )?.[0] ?? '';
  const call = clientOf(running.url, token);
  const socket = new Socket(`${running.url.replace('http', 'ws')}/socket`, {
    transport: WebSocket as unknown as new (endpoint: string) => object,
    params: { token },
  });
  socket.connect();
  t.after(() => new Promise<void>((resolve) => socket.disconnect(() => resolve())));
  let trackId = '';
  let stems: { id: string; stem_type: string }[] = [];

  await t.test('the service is healthy and rejects requests without a token', async () => {
    assert.deepEqual(await (await fetch(`${running.url}/health`)).json(), { status: 'ok' });
    const refused = await read(failure, await fetch(`${running.url}/api/tracks`), 401);
    assert.equal(refused.code, 'UNAUTHORIZED');
  });

  await t.test('searches a catalog, fetches a link and imports it with a download job', async () => {
    const found = await read(
      z.object({ data: z.array(z.object({ catalog_id: z.string(), title: z.string() })) }),
      await call('GET', '/api/catalog/search?q=small'),
    );
    const catalogId = found.data[0]?.catalog_id ?? '';
    const url = `catalog:track:${catalogId}`;
    const fetched = await read(
      z.object({ data: z.object({ type: z.literal('track'), track: trackFields.omit({ id: true }) }) }),
      await call('POST', '/api/catalog/fetch', { url }),
    );
    assert.equal(fetched.data.track.catalog_id, catalogId);
    const wrong = await read(failure, await call('POST', '/api/catalog/fetch', { url: 'http://x/' }), 400);
    assert.equal(wrong.code, 'invalid_url');
    const { data } = await read(
      accepted,
      await call('POST', '/api/download/track', { url, quality: 'high' }),
      201,
    );
    assert.equal(data.status, 'queued');
    trackId = data.track_id;
    const messages = await followJob(socket, data.job_id);
    assert.equal(messages.at(-1)?.progress, 100);
    const job = await read(
      z.object({
        data: z.object({
          id: uuid,
          status: z.literal('completed'),
          progress: z.literal(100),
          output_path: z.string(),
          file_size: z.int().positive(),
          error: z.null(),
        }),
      }),
      await call('GET', `/api/download/job/${data.job_id}`),
    );
    assert.match(job.data.output_path, /^\/files\/downloads\//);
    const list = await read(
      z.object({ data: z.array(trackFields), meta: listMeta }),
      await call('GET', '/api/tracks'),
    );
    assert.deepEqual(
      [list.data.map(({ id }) => id), list.meta],
      [[trackId], { page: 1, page_size: 20, total_count: 1, total_pages: 1 }],
    );
  });

  await t.test('separates the track with progress messages', async () => {
    const models = await read(
      z.object({
        data: z.object({
          models: z.array(z.object({ name: z.string(), description: z.string(), stems: z.int() })),
        }),
      }),
      await call('GET', '/api/processing/models'),
    );
    assert.ok(models.data.models.some(({ name, stems }) => name === 'hybrid_4' && stems === 4));
    const { data } = await read(
      accepted,
      await call('POST', '/api/processing/separate', {
        track_id: trackId,
        model: 'hybrid_4',
        engine: 'local',
      }),
      201,
    );
    const messages = await followJob(socket, data.job_id);
    const steps = messages.map(({ progress }) => progress);
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
      'progress never falls back',
    );
    const job = await read(
      z.object({
        data: z.object({
          id: uuid,
          status: z.literal('completed'),
          progress: z.literal(100),
          model: z.literal('hybrid_4'),
          stems: z.array(z.object({ id: uuid, stem_type: z.string() })),
          error: z.null(),
        }),
      }),
      await call('GET', `/api/processing/job/${data.job_id}`),
    );
    stems = job.data.stems;
    assert.deepEqual(stems.map(({ stem_type }) => stem_type).sort(), ['bass', 'drums', 'other', 'vocals']);
  });

  await t.test('analyses the track', async () => {
    const { data } = await read(
      accepted,
      await call('POST', '/api/analysis/analyze', { track_id: trackId, features: ['all'] }),
      201,
    );
    await followJob(socket, data.job_id);
    const job = await read(
      z.object({ data: z.object({ id: uuid, status: z.literal('completed'), result: z.looseObject({}) }) }),
      await call('GET', `/api/analysis/job/${data.job_id}`),
    );
    assert.ok(Object.keys(job.data.result).length > 0);
    const analysis = await read(exported, await call('GET', `/export/analysis/${trackId}`));
    assert.equal(analysis.track_id, trackId);
    assert.equal(analysis.analysis.features.mfcc.length, 13);
    assert.equal(analysis.analysis.features.chroma.length, 12);
  });

  await t.test('exports single stems and a ZIP, and rejects an export without a token', async () => {
    for (const { id } of stems) {
      const stem = await call('GET', `/export/stem/${id}`);
      const bytes = Buffer.from(await stem.arrayBuffer());
      assert.equal(stem.status, 200);
      assert.equal(bytes.toString('latin1', 0, 4), 'RIFF');
    }
    const zip = await call('GET', `/export/stems/${trackId}`);
    const bytes = Buffer.from(await zip.arrayBuffer());
    assert.equal(bytes.toString('latin1', 0, 2), 'PK');
    assert.equal((await fetch(`${running.url}/export/stems/${trackId}`, { redirect: 'manual' })).ok, false);
  });

  await t.test('a changed track keeps its changes, and a deleted one is not found', async () => {
    const changed = await read(
      z.object({ data: trackFields.extend({ bpm: z.number() }) }),
      await call('PATCH', `/api/tracks/${trackId}`, { title: 'Smaller Song', bpm: 121.5 }),
    );
    assert.deepEqual([changed.data.title, changed.data.bpm], ['Smaller Song', 121.5]);
    const refused = await read(
      failure.extend({ details: z.record(z.string(), z.array(z.string())) }),
      await call('PATCH', `/api/tracks/${trackId}`, { bpm: 'fast' }),
      422,
    );
    assert.equal(refused.code, 'VALIDATION_ERROR');
    assert.ok(refused.details.bpm);
    const gone = await call('DELETE', `/api/tracks/${trackId}`);
    assert.deepEqual([gone.status, await gone.text()], [204, '']);
    await read(failure, await call('GET', `/api/tracks/${trackId}`), 404);
  });
});
