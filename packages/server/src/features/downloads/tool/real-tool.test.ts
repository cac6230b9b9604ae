import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { downloadTrack } from '@stem-studio/contract/endpoints/downloads';
import { cancelJob, getJob } from '@stem-studio/contract/endpoints/jobs';
import { listSources } from '@stem-studio/contract/endpoints/sources';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { parseConfig } from '../../../config.ts';
import { eventually } from '../../../testing/eventually.ts';
import { makeFolder, openLibrary, untilJob } from '../../../testing/library-steps.ts';
import { standInId } from '../../../testing/stand-ins/catalog-data.ts';
import { startStandInCatalog } from '../../../testing/stand-ins/catalog-server.ts';
import { installDownloadTool } from '../../../testing/stand-ins/install-download-tool.ts';
import { testWav } from '../../../testing/test-audio.ts';
import { drainJobs, openTestContext } from '../../../testing/test-context.ts';
import { fetchAudio, searchSources } from './download-tool.ts';
import { ToolFailure, type ToolProblem } from './tool-failure.ts';

// Checks the stand-in against the real program. Where that is installed (DOWNLOAD_TOOL, or yt-dlp in PATH), it is run
// against a server of our own; elsewhere only the stand-in verifies our arguments.
const { DOWNLOAD_TOOL } = process.env;
const { downloadTool: realTool } = parseConfig({ DOWNLOAD_TOOL }, '.');
const realVersion = await promisify(execFile)(realTool, ['--version'])
  .then(({ stdout }) => stdout.trim())
  .catch(() => null);

/** Replies of an audio page at addresses that fail in a specific way. */
const troubles: Readonly<Record<string, RequestListener>> = {
  '/gone.wav': (_request, reply) => reply.writeHead(404).end(),
  '/refused.wav': (_request, reply) => reply.writeHead(403).end(),
  '/broken.wav': (_request, reply) => reply.writeHead(503).end(),
  '/text.html': (_request, reply) => reply.setHeader('content-type', 'text/html').end('<p>no sound here</p>'),
  '/cut.wav': (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'audio/wav', 'content-length': 1_000_000 });
    reply.write(Buffer.alloc(100_000), () => reply.destroy());
  },
  '/stuck.wav': (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'audio/wav', 'content-length': 1_000_000 });
    reply.write(Buffer.alloc(500_000));
  },
};

/** Serves one song: a page that plays it for every search, the file, and the failing addresses. */
async function serveSong(t: TestContext, seconds: number, song = '/song.wav') {
  const bytes = await testWav({ seconds });
  const server = createServer((request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const trouble = troubles[pathname];
    if (trouble) return trouble(request, reply);
    if (pathname === '/song.wav')
      return reply.writeHead(200, { 'content-type': 'audio/wav', 'content-length': bytes.length }).end(bytes);
    const query = searchParams.get('q')?.replaceAll(/[<>&]/g, ' ');
    reply.writeHead(200, { 'content-type': 'text/html' });
    return reply.end(`<html><title>${query}</title><audio src="${song}"></audio></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, downloadToolSearch: `${origin}/search?q={query}` };
}

test('accepts every argument of the real tool in the stand-in', async (t) => {
  if (realVersion === null)
    t.diagnostic(`there is no ${realTool} here (DOWNLOAD_TOOL): only its stand-in was tried`);
  await searchAndFetch(t, await installDownloadTool(await makeFolder(t)));
});

async function searchAndFetch(t: TestContext, downloadTool: string): Promise<void> {
  const { downloadToolSearch } = await serveSong(t, 3);
  const context = await openTestContext(t, { config: { downloadTool, downloadToolSearch } });
  const folder = await makeFolder(t);
  const { signal } = new AbortController();
  const found = await searchSources(context, 'Some & Terms', folder, signal);
  const [first] = found;
  assert.match(first?.title ?? '', /Some.*Terms/);
  const progress: number[] = [];
  const onProgress = (fraction: number) => void progress.push(fraction);
  const watch = { signal, onProgress, onQuiet: () => undefined };
  assert.equal(await fetchAudio(context, first?.url ?? '', folder, watch), 'received.wav');
  assert.equal(progress.at(-1), 1);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
}

if (realVersion !== null) {
  test(`accepts every argument in the tool ${realVersion}`, (t) => searchAndFetch(t, realTool));

  test(`finds and downloads a track of the web catalog with the tool ${realVersion}`, async (t) => {
    const webCatalog = await startStandInCatalog();
    t.after(() => webCatalog.close());
    const { downloadToolSearch, origin } = await serveSong(t, 25);
    const library = await openLibrary(t, {
      config: { webCatalog, downloadTool: realTool, downloadToolSearch },
    });
    const url = `https://open.spotify.com/track/${standInId('track', 5)}`;
    const { body } = await library.ask(downloadTrack, { body: { url, quality: 'low' } });
    await drainJobs(library.context);
    const job = (await library.ask(getJob, { params: { id: body.data.job_id } })).body.data;
    assert.deepEqual([job.status, job.error], ['completed', null]);
    const params = { id: body.data.track_id };
    const track = (await library.ask(getTrack, { params })).body.data;
    assert.deepEqual([track.duration, track.audio?.codec], [25, 'wav']);
    const sources = (await library.ask(listSources, { params })).body.data;
    assert.deepEqual(
      sources.map((source) => [source.url, source.chosen]),
      [[`${origin}/song.wav`, true]],
    );
  });

  test(`cancels a download of the tool ${realVersion} and leaves nothing`, async (t) => {
    const webCatalog = await startStandInCatalog();
    t.after(() => webCatalog.close());
    const { downloadToolSearch } = await serveSong(t, 1, '/stuck.wav');
    const library = await openLibrary(t, {
      config: { webCatalog, downloadTool: realTool, downloadToolSearch },
    });
    const url = `https://open.spotify.com/track/${standInId('track', 5)}`;
    const { body } = await library.ask(downloadTrack, { body: { url, quality: 'low' } });
    await library.context.queue.start(library.context);
    await untilJob(library.context, body.data.job_id, 'downloading');
    await eventually(library.storedFiles, (files) => files.length > 0);
    await library.ask(cancelJob, { params: { id: body.data.job_id } });
    await eventually(library.storedFiles, (files) => files.length === 0);
  });

  test(`classifies each failure of a source by the output of the tool ${realVersion}`, async (t) => {
    const { origin } = await serveSong(t, 1);
    const context = await openTestContext(t, { config: { downloadTool: realTool } });
    // The limit must be exceeded only by the download that never ends, however slow the machine is.
    const hasty = { ...context, config: { ...context.config, downloadTimeLimitSeconds: 8 } };
    const folder = await makeFolder(t);
    const expected: readonly (readonly [string, ToolProblem])[] = [
      [`${origin}/gone.wav`, 'unavailable'],
      [`${origin}/refused.wav`, 'unavailable'],
      [`${origin}/text.html`, 'unavailable'],
      [`${origin}/broken.wav`, 'network'],
      [`${origin}/cut.wav`, 'network'],
      [`${origin}/stuck.wav`, 'overdue'],
      ['http://127.0.0.1:9/song.wav', 'network'],
      ['http://no-such-host.invalid/song.wav', 'network'],
    ];
    const watch = {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onQuiet: () => undefined,
    };
    for (const [url, problem] of expected) {
      const of = problem === 'overdue' ? hasty : context;
      const failed = await fetchAudio(of, url, folder, watch).catch((error: unknown) => error);
      assert.ok(failed instanceof ToolFailure, url);
      assert.equal(failed.problem, problem, `${url}: ${failed.message}`);
    }
    const small = { ...context, config: { ...context.config, maxUploadMb: 1 } };
    const { origin: large } = await serveSong(t, 30);
    await assert.rejects(
      fetchAudio(small, `${large}/song.wav`, folder, watch),
      (error) => error instanceof ToolFailure && error.problem === 'too_large',
    );
    await assert.rejects(
      fetchAudio(
        { ...context, config: { ...context.config, downloadTool: join(folder, 'none') } },
        origin,
        folder,
        watch,
      ),
      (error) => error instanceof ToolFailure && error.problem === 'missing',
    );
  });
}
