import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { health } from '@stem-studio/contract/endpoints/health';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { pause } from '../../platform/clock.ts';
import { isAlive } from '../../platform/process/is-alive.ts';
import { childProcesses, holdStill } from '../../testing/child-processes.ts';
import { eventually } from '../../testing/eventually.ts';
import { coverFrame, flacWithBlocks, manyComments, mp3WithFrames } from '../../testing/hostile-tags.ts';
import {
  type LibraryApp,
  makeFolder,
  multipart,
  openLibrary,
  untilJob,
} from '../../testing/library-steps.ts';
import { type ServiceProcess, startServiceProcess } from '../../testing/service-process.ts';
import { testFlac, testMp3 } from '../../testing/test-audio.ts';
import type { TestLifetime } from '../../testing/test-context.ts';

/** Far below the memory that the parser took of the service before: 2.4 to 3.5 GB. */
const mostMemoryMb = 700;

/**
 * Writes two files with oversized tags. One is a FLAC file of 14.7 MB with 2,097,152 comments, the other an MP3 with a
 * cover of 200 MB (a hole in the file).
 */
async function hostileFiles(folder: string): Promise<{ comments: string; cover: string }> {
  const comments = join(folder, 'comments.flac');
  const cover = join(folder, 'cover.mp3');
  const block = { type: 4, body: manyComments(2_097_152) };
  await writeFile(comments, flacWithBlocks(await testFlac({ seconds: 1 }), [block]));
  const mp3 = await testMp3({ seconds: 1 });
  const head = mp3WithFrames(new Uint8Array(0), [coverFrame(200_000_000)]).subarray(0, 1000);
  await writeFile(cover, head);
  await truncate(cover, 200_000_034);
  await writeFile(cover, mp3, { flag: 'a' });
  return { comments, cover };
}

/** Polls `/health` from outside while work runs; every reply must be a 200. */
async function whileHealthy<T>(service: ServiceProcess, work: Promise<T>): Promise<T> {
  const end = new AbortController();
  let asked = 0;
  const polls = (async () => {
    while (!end.signal.aborted) {
      const reply = await fetch(`${service.address}${health.path}`, { signal: AbortSignal.timeout(20_000) });
      assert.equal(reply.status, 200);
      assert.ok((await memoryMb(service.pid)) < mostMemoryMb, `${await memoryMb(service.pid)} MB`);
      asked += 1;
      await pause(300, end.signal);
    }
  })();
  try {
    const result = await Promise.race([work, polls.then(() => work)]);
    assert.ok(asked > 0);
    return result;
  } finally {
    end.abort();
    await polls;
  }
}

/** Returns the peak memory of a process in MB. */
async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

async function openService(t: TestLifetime, variables: Readonly<Record<string, string>> = {}) {
  const library = await openLibrary(t);
  const service = await startServiceProcess(library.context, '', { MAX_UPLOAD_MB: '300', ...variables });
  return { library, service };
}

async function sendFile(library: LibraryApp, service: ServiceProcess, path: string) {
  const form = multipart([{ name: 'file', fileName: 'My song.flac', bytes: Buffer.from('HERE') }]);
  const [before = '', after = ''] = form.payload.toString().split('HERE');
  const body = Readable.from(
    (async function* () {
      yield Buffer.from(before);
      yield* createReadStream(path) as AsyncIterable<Buffer>;
      yield Buffer.from(after);
    })(),
  );
  const reply = await fetch(`${service.address}${uploadFile.path}`, {
    method: 'POST',
    headers: { ...library.user.headers, ...form.headers },
    body: Readable.toWeb(body) as ReadableStream,
    duplex: 'half',
  });
  const text = await reply.text();
  assert.equal(reply.status, 201, text);
  return uploadFile.reply.parse(JSON.parse(text)).data;
}

test('gives an upload with oversized tags its file name and a warning while /health responds throughout', async (t) => {
  const { library, service } = await openService(t);
  const files = await hostileFiles(await makeFolder(t));
  for (const [path, reason] of [
    [files.comments, /^The tags could not be read: it has 2,097,152 comments \(at most 10,000\)/],
    [files.cover, /^The tags could not be read: its ID3 tag has 201 MB \(at most 64 MB\)/],
  ] as const) {
    const track = await whileHealthy(
      service,
      (async () => {
        const { track_id, job_id } = await sendFile(library, service, path);
        await untilJob(library.context, job_id, 'completed');
        return (await library.ask(getTrack, { params: { id: track_id } })).body.data;
      })(),
    );
    assert.deepEqual([track.title, track.download?.error], ['My song', null]);
    assert.ok(
      track.audio?.warnings.some((warning) => reason.test(warning)),
      JSON.stringify(track.audio?.warnings),
    );
  }
});

test('starts without delay on a catalog folder with such files and lists each with its reason', async (t) => {
  const folder = await makeFolder(t);
  await hostileFiles(folder);
  await writeFile(join(folder, 'good.flac'), await testFlac({ seconds: 0.5 }));
  const { library, service } = await openService(t, { CATALOG_FOLDER: folder });
  const search = async (q: string) => {
    const reply = await fetch(`${service.address}${searchCatalog.path}?q=${q}`, {
      headers: library.user.headers,
    });
    return searchCatalog.reply.parse(await reply.json()).data;
  };
  const found = await whileHealthy(
    service,
    eventually(
      () => search('flac'),
      (tracks) => tracks.length === 2,
    ),
  );
  assert.deepEqual(found.map(({ title }) => title).toSorted(), ['comments', 'good']);
  const bad = found.find(({ title }) => title === 'comments');
  const reply = await fetch(`${service.address}/api/catalog/track/${bad?.catalog_id}`, {
    headers: library.user.headers,
  });
  assert.equal(reply.status, 422);
  assert.match(await reply.text(), /The tags could not be read: it has 2,097,152 comments/);
});

test('stops parsing an upload and stores nothing when the client disconnects', async (t) => {
  const library = await openLibrary(t);
  const address = new URL(await library.service.listen(0, '127.0.0.1'));
  await library.upload(await testFlac({ seconds: 0.5 }), 'first.flac');
  const before = await library.storedFiles();
  // The suspended parsers never respond to the next upload.
  const parsers = await childProcesses('inspect.process.ts');
  for (const parser of parsers) holdStill(parser);
  t.after(() => {
    for (const parser of parsers.filter(isAlive)) process.kill(parser, 'SIGKILL');
  });
  const form = multipart([{ name: 'file', fileName: 'song.flac', bytes: await testFlac({ seconds: 0.7 }) }]);
  const sending = request({
    host: address.hostname,
    port: address.port,
    method: 'POST',
    path: uploadFile.path,
    headers: { ...library.user.headers, ...form.headers, 'content-length': form.payload.length },
  });
  sending.on('error', () => undefined);
  sending.end(form.payload);
  await eventually(library.storedFiles, (files) => countReceived(files) > countReceived(before));
  sending.destroy();
  await eventually(library.storedFiles, (files) => files.length === before.length);
});

const countReceived = (files: readonly string[]) => files.filter((path) => path.endsWith('/received')).length;
