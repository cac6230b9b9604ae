import assert from 'node:assert/strict';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { downloadTrack } from '@stem-studio/contract/endpoints/downloads';
import { cancelJob, getJob } from '@stem-studio/contract/endpoints/jobs';
import { chooseSource, listSources } from '@stem-studio/contract/endpoints/sources';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import type { Config } from '../../../platform/config.ts';
import { deleteMarkedFolders } from '../../../platform/files/folders-to-delete.ts';
import { eventually } from '../../../testing/eventually.ts';
import { makeFolder, openLibrary } from '../../../testing/library-steps.ts';
import { enrol } from '../../../testing/roles/enrol.ts';
import { standInId } from '../../../testing/stand-ins/catalog-data.ts';
import { startStandInCatalog } from '../../../testing/stand-ins/catalog-server.ts';
import { installDownloadTool } from '../../../testing/stand-ins/install-download-tool.ts';
import { drainJobs, type TestLifetime } from '../../../testing/test-context.ts';
import { checkStorage } from '../../storage-check/index.ts';
import { fetchAudio } from './download-tool.ts';
import { ToolFailure } from './tool-failure.ts';

/** Opens a studio with a stand-in catalog and a stand-in tool that fails according to `mode`. */
async function openStudio(t: TestLifetime, mode = '', config: Partial<Config> = {}) {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const folder = await makeFolder(t);
  const downloadTool = mode === 'missing' ? `${folder}/nothing` : await installDownloadTool(folder, mode);
  const library = await openLibrary(t, { config: { ...config, webCatalog: standIn, downloadTool } });
  const request = async (number = 5) => {
    const url = `https://open.spotify.com/track/${standInId('track', number)}`;
    return (await library.ask(downloadTrack, { body: { url, quality: 'low' } })).body.data;
  };
  const download = async (number = 5) => {
    const accepted = await request(number);
    await drainJobs(library.context);
    return finished(accepted);
  };
  const finished = async ({ job_id, track_id }: { job_id: string; track_id: string }) => ({
    job: (await library.ask(getJob, { params: { id: job_id } })).body.data,
    track: (await library.ask(getTrack, { params: { id: track_id } })).body.data,
    sources: (await library.ask(listSources, { params: { id: track_id } })).body.data,
  });
  return { library, standIn, request, download, finished };
}

test('finds a track of the web catalog by artist and title and takes the best candidate', async (t) => {
  const { library, download } = await openStudio(t);
  const { job, track, sources } = await download();
  assert.deepEqual([job.status, job.error], ['completed', null]);
  assert.equal(track.duration, 25);
  assert.equal(track.audio?.codec.startsWith('pcm') || track.audio?.codec === 'wav', true);
  assert.deepEqual(
    sources.map((source) => [source.duration_ms, source.difference_ms, source.chosen]),
    [
      [25_000, 0, true],
      [28_000, 3000, false],
      [36_000_000, 35_975_000, false],
    ],
  );
  const stored = await library.storedFiles();
  assert.deepEqual(
    stored.filter((path) => !path.startsWith('downloads/')),
    [],
  );
});

test('keeps the cover with the track, also when the catalog is missing and other audio is selected', async (t) => {
  const { library, standIn, download, finished } = await openStudio(t);
  const { track, sources } = await download();
  assert.match(track.album_art_url ?? '', /^\/files\/downloads\/.+\/cover\./);
  await standIn.close();
  const caller = { name: '', standing: 'owner', way: 'cookie', hasCsrf: true } as const;
  const person = { id: library.user.id, email: '', mark: '' };
  const headers = await enrol(library.context, caller, person, '-');
  const shown = async (url: string | null) =>
    (await library.app.inject({ url: url ?? '', headers })).statusCode;
  assert.equal(await shown(track.album_art_url), 200);
  const body = { candidate_id: sources[1]?.candidate_id };
  const chosen = await library.ask(chooseSource, { params: { id: track.id }, body });
  await drainJobs(library.context);
  const after = await finished(chosen.body.data);
  assert.equal(after.track.duration, 28);
  assert.notEqual(after.track.album_art_url, track.album_art_url);
  assert.equal(await shown(after.track.album_art_url), 200);
});

test('replaces the audio when the user selects another candidate', async (t) => {
  const { library, download, finished } = await openStudio(t);
  const { track, sources } = await download();
  const params = { id: track.id };
  const body = { candidate_id: sources[1]?.candidate_id };
  const chosen = await library.ask(chooseSource, { params, body });
  assert.equal(chosen.status, 201);
  await drainJobs(library.context);
  const after = await finished(chosen.body.data);
  assert.equal(after.job.status, 'completed');
  assert.equal(after.track.duration, 28);
  assert.deepEqual(
    after.sources.map((source) => source.chosen),
    [false, true, false],
  );
  // Nothing of the replaced audio remains: no row, no file, no cover that points to it.
  await deleteMarkedFolders(library.context);
  const report = await checkStorage(library.context, { isQuiet: true });
  assert.deepEqual(report.findings, []);
  assert.equal((await library.context.files.listFolders('downloads')).length, 1);
});

test('keeps the previous candidate as the chosen one when the selected candidate is not audio', async (t) => {
  const { library, download, finished } = await openStudio(t, 'live-no-audio');
  const { track, sources } = await download();
  const body = { candidate_id: sources[1]?.candidate_id };
  const accepted = await library.ask(chooseSource, { params: { id: track.id }, body });
  await drainJobs(library.context);
  const after = await finished(accepted.body.data);
  assert.deepEqual([after.job.status, after.track.duration], ['failed', 25]);
  assert.deepEqual(
    after.sources.map((source) => source.chosen),
    [true, false, false],
  );
});

test('rejects an unknown candidate with 422 and a track of another user with 404', async (t) => {
  const { library, download } = await openStudio(t);
  const { track, sources } = await download();
  const params = { id: track.id };
  const wrong = await library.ask(chooseSource, { params, body: { candidate_id: 'nothing' } });
  assert.deepEqual([wrong.status, Object.keys(wrong.error.details ?? {})], [422, ['candidate_id']]);
  const other = await library.registerUser();
  const body = { candidate_id: sources[0]?.candidate_id };
  assert.equal((await library.ask(chooseSource, { params, body }, other)).status, 404);
  assert.equal((await library.ask(listSources, { params }, other)).status, 404);
});

test('never takes a match that is more than 10 s off automatically and keeps its candidates for selection', async (t) => {
  const { library, download, finished } = await openStudio(t, 'long');
  const { job, track, sources } = await download();
  assert.equal(job.status, 'failed');
  assert.match(job.error ?? '', /None of the 2 sources .* more than 10 s/);
  assert.equal(sources.length, 2);
  const near = sources.find((source) => source.difference_ms === 11_000);
  const params = { id: track.id };
  const chosen = await library.ask(chooseSource, { params, body: { candidate_id: near?.candidate_id } });
  await drainJobs(library.context);
  assert.equal((await finished(chosen.body.data)).track.duration, 36);
});

test('discards downloaded audio that is more than 10 s off', async (t) => {
  const { library, download } = await openStudio(t, 'mismatched');
  const { job, track, sources } = await download();
  assert.equal(job.status, 'failed');
  assert.match(job.error ?? '', /lasts 55 s, the catalog's track 25 s/);
  assert.equal(track.audio, null);
  assert.deepEqual(sources[0]?.difference_ms, 30_000);
  assert.ok(sources.every((source) => !source.chosen));
  assert.deepEqual(await library.storedFiles(), []);
});

test('takes the next matching candidate when the best one is unavailable', async (t) => {
  const { download } = await openStudio(t, 'first-unavailable');
  const { job, sources } = await download();
  assert.equal(job.status, 'completed');
  assert.deepEqual(
    sources.map((source) => source.chosen),
    [false, true, false],
  );
});

test("distinguishes each failure of the tool in the job's error and stores nothing", async (t) => {
  const expected: readonly [string, RegExp, number][] = [
    ['missing', /The download tool is missing.*pip install yt-dlp/, 1],
    ['outdated', /out of date \(version 2026\.11\.01\).*Update it/, 1],
    ['old', /out of date \(version 2024\.03\.10\).*HTTP Error 403/, 1],
    ['unavailable', /The source is not available.*Video unavailable/, 1],
    ['disk', /The disk is full\. Nothing partial was stored/, 1],
    ['network', /could not reach its source.*Name or service not known/, 3],
    ['unknown', /version 2026\.11\.01\) failed.*nobody has seen before/, 1],
    ['nothing', /Nothing was found/, 1],
  ];
  const { library, download } = await openStudio(t);
  const { downloadTool } = library.context.config;
  const folder = await makeFolder(t);
  for (const [number, [mode, pattern, attempts]] of expected.entries()) {
    if (mode === 'missing') await rm(downloadTool);
    else await copyFile(await installDownloadTool(folder, mode), downloadTool);
    const { job } = await download(number);
    assert.equal(job.status, 'failed', mode);
    assert.match(job.error ?? '', pattern, mode);
    assert.equal(job.attempt, attempts, mode);
    assert.deepEqual(await library.storedFiles(), [], mode);
  }
});

test('ends a tool that hangs at the time limit and stores nothing', async (t) => {
  for (const mode of ['hang', 'stall']) {
    const { library, download } = await openStudio(t, mode, { downloadTimeLimitSeconds: 2 });
    const { job, track } = await download();
    assert.deepEqual([job.status, job.attempt], ['failed', 1], mode);
    assert.match(job.error ?? '', /took longer than 2 s and was stopped.*DOWNLOAD_TIME_LIMIT_SECONDS/);
    assert.equal(track.audio, null);
    assert.deepEqual(await library.storedFiles(), []);
  }
});

test('ends the tool and stores nothing when a running download is cancelled', async (t) => {
  const { library, request } = await openStudio(t, 'stall');
  const { job_id } = await request();
  // Started workers receive a cancel at once, whatever the job reports meanwhile.
  await library.context.queue.start(library.context);
  await eventually(library.storedFiles, (files) => files.length > 0);
  assert.equal((await library.ask(cancelJob, { params: { id: job_id } })).status, 204);
  const job = (await library.ask(getJob, { params: { id: job_id } })).body.data;
  assert.deepEqual([job.status, job.error], ['failed', 'cancelled']);
  await eventually(library.storedFiles, (files) => files.length === 0);
});

test('reports silence of the tool while it lasts and then ends it with a retryable failure', async (t) => {
  const { library } = await openStudio(t, 'stall');
  const folder = await makeFolder(t);
  const quiet: number[] = [];
  const fetching = fetchAudio(
    library.context,
    'https://audio.example/song?seconds=5',
    folder,
    {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onQuiet: (seconds) => void quiet.push(seconds),
    },
    { stallMs: 2000, quietMs: 100 },
  );
  await assert.rejects(
    fetching,
    (error) => error instanceof ToolFailure && error.problem === 'stalled' && error.isRetryable,
  );
  assert.ok(quiet.length > 0);
  assert.deepEqual(await readdir(folder), []);
});

test('discards partial files of a failed candidate before the next one', async (t) => {
  const { download } = await openStudio(t, 'first-broken');
  const { job, track, sources } = await download();
  assert.deepEqual([job.status, job.error, track.duration], ['completed', null, 28]);
  assert.deepEqual(
    sources.map((source) => source.chosen),
    [false, true, false],
  );
});
