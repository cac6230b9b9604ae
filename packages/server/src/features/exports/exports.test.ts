import assert from 'node:assert/strict';
import { once } from 'node:events';
import { open, readFile, symlink, truncate } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { analyze } from '@stem-studio/contract/endpoints/analysis';
import { exportAnalysis, exportMix, exportStem, exportStems } from '@stem-studio/contract/endpoints/exports';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { errorBody } from '@stem-studio/contract/errors';
import type { Stem } from '@stem-studio/contract/resources/stem';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import { parseBuffer } from 'music-metadata';
import { newId } from '../../platform/ids.ts';
import { registeredBrowser } from '../../testing/account-steps.ts';
import { eventually } from '../../testing/eventually.ts';
import { type LibraryApp, openLibrary } from '../../testing/library-steps.ts';
import { readZip } from '../../testing/read-zip.ts';
import { until } from '../../testing/socket-client.ts';
import { testFlac, testWav, tinyPng, writeTaggedFile } from '../../testing/test-audio.ts';
import { drainJobs, type TestLifetime } from '../../testing/test-context.ts';

async function separated(library: LibraryApp, track_id: string, preview = false): Promise<Stem[]> {
  const asked = await library.ask(separate, { body: { track_id, preview } });
  await drainJobs(library.context);
  const job = await library.ask(getProcessingJob, { params: { id: asked.body.data.job_id } });
  assert.equal(job.body.data.error, null);
  return job.body.data.stems;
}

async function openExports(t: TestLifetime) {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const track = await library.addTrack(await testWav(), 'Jóga: a song.wav');
  const stems = await separated(library, track.id);
  const stored = await Promise.all(
    stems.map((stem) => readFile(library.context.files.absolute(stem.file_path))),
  );
  const [stem] = stems;
  assert.ok(stem);
  const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    library.app.inject({ method, url, headers: { ...library.user.headers, ...headers } });
  const stemUrl = pathOf(exportStem, { id: stem.id });
  const zipUrl = pathOf(exportStems, { track_id: track.id });
  return { library, track, stems, stem, stored, get, stemUrl, zipUrl };
}

/** Returns the codec of an audio file, its samples per channel and its largest sample. */
async function decoded(bytes: Buffer): Promise<{ codec: string; samples: number; loudest: number }> {
  const source = await openAudio(ReadableStream.from([new Uint8Array(bytes)]));
  let samples = 0;
  let loudest = 0;
  for await (const [left = new Float32Array()] of source.blocks) {
    samples += left.length;
    for (const sample of left) loudest = Math.max(loudest, Math.abs(sample));
  }
  return { codec: source.info.codec, samples, loudest };
}

/** Tells whether a WAV is a stored one with adapted length and complete chunks after its samples. */
function holdsSamplesOf(bytes: Buffer, stored: Buffer | undefined): boolean {
  if (!stored) return false;
  const isWhole = bytes.readUInt32LE(4) === bytes.length - 8;
  return isWhole && bytes.subarray(8, stored.length).equals(stored.subarray(8));
}

test('exports of a separated track', async (all) => {
  const opened = await openExports(all);

  await all.test(
    "a stem has the samples of the stored WAV under the song's name, with ranges and an entity tag",
    async () => {
      const { get, stemUrl, stored } = opened;
      const whole = await get(stemUrl);
      assert.equal(whole.statusCode, 200);
      assert.equal(whole.headers['content-type'], 'audio/wav');
      assert.equal(
        whole.headers['content-disposition'],
        `attachment; filename="Joga_ a song (vocals).wav"; filename*=UTF-8''J%C3%B3ga_%20a%20song%20%28vocals%29.wav`,
      );
      assert.ok(holdsSamplesOf(whole.rawPayload, stored[0]));
      assert.ok('x-ratelimit-remaining' in whole.headers);
      const part = await get(stemUrl, { range: 'bytes=4-7' });
      assert.deepEqual([part.statusCode, part.rawPayload.length], [206, 4]);
      const cut = [5, 100, stored[0]?.length ?? 0, whole.rawPayload.length - 3, whole.rawPayload.length - 1];
      for (const start of cut)
        for (const end of cut.filter((last) => last >= start)) {
          const { rawPayload } = await get(stemUrl, { range: `bytes=${start}-${end}` });
          assert.ok(rawPayload.equals(whole.rawPayload.subarray(start, end + 1)), `${start}-${end}`);
        }
      const known = await get(stemUrl, { 'if-none-match': String(whole.headers['etag']) });
      assert.equal(known.statusCode, 304);
      assert.equal((await get(stemUrl, { range: 'bytes=99999999-' })).statusCode, 416);
    },
  );

  for (const [format, type] of [
    ['mp3', 'audio/mpeg'],
    ['flac', 'audio/flac'],
  ] as const) {
    await all.test(
      `a stem as ${format} contains every sample, announces its length, and carries tags`,
      async () => {
        const { library, get, stemUrl } = opened;
        const before = await library.storedFiles();
        const reply = await get(`${stemUrl}?format=${format}`);
        assert.equal(reply.statusCode, 200, reply.payload);
        assert.equal(reply.headers['content-type'], type);
        assert.equal(reply.headers['content-length'], String(reply.rawPayload.length));
        assert.match(String(reply.headers['content-disposition']), new RegExp(`vocals\\)\\.${format}"`));
        const found = await decoded(reply.rawPayload);
        assert.deepEqual([found.codec, found.samples], [format, 44_100]);
        const { common } = await parseBuffer(reply.rawPayload);
        assert.equal(common.title, 'Jóga: a song (vocals)');
        await eventually(library.storedFiles, (files) => files.length <= before.length);
        const head = await get(`${stemUrl}?format=${format}`, {}, 'HEAD');
        assert.deepEqual(
          [head.statusCode, head.headers['content-type'], head.rawPayload.length],
          [200, type, 0],
        );
      },
    );
  }

  await all.test('all stems come as one ZIP of stored files with the exact announced length', async () => {
    const { get, zipUrl, stored } = opened;
    const zip = await get(zipUrl);
    assert.equal(zip.statusCode, 200, zip.payload);
    assert.equal(zip.headers['content-type'], 'application/zip');
    assert.equal(zip.headers['content-length'], String(zip.rawPayload.length));
    assert.match(String(zip.headers['content-disposition']), /filename="Joga_ a song \(stems\)\.zip"/);
    const files = readZip(zip.rawPayload);
    assert.deepEqual(
      [...files.keys()],
      ['vocals', 'drums', 'bass', 'other'].map((name) => `Jóga_ a song (${name}).wav`),
    );
    assert.ok([...files.values()].every((bytes, i) => holdsSamplesOf(bytes, stored[i])));
    const head = await get(zipUrl, {}, 'HEAD');
    assert.equal(head.headers['content-length'], zip.headers['content-length']);
  });

  await all.test('an analysis is a JSON file with the song and all stored results', async () => {
    const { library, get, track } = opened;
    const url = pathOf(exportAnalysis, { track_id: track.id });
    const early = await get(url);
    assert.equal(early.statusCode, 404);
    assert.match(early.payload, /analyse it first/);
    await library.ask(analyze, { body: { track_id: track.id } });
    await drainJobs(library.context);
    const reply = await get(url);
    assert.match(String(reply.headers['content-disposition']), /^attachment; .*analysis\)\.json"/);
    assert.match(String(reply.headers['content-type']), /^application\/json/);
    const body = exportAnalysis.reply.parse(reply.json());
    assert.deepEqual([body.track_id, body.title, body.artist], [track.id, track.title, track.artist]);
    assert.equal(body.analysis.features?.mfcc?.length, 13);
    for (const name of ['tempo', 'key', 'energy', 'spectral_centroid'] as const)
      assert.ok(name in body.analysis);
  });

  await all.test(
    'exports accept a cookie or a key; requests of other users get 404, and a track without stems explains why',
    async () => {
      const { library, stemUrl, zipUrl, get } = opened;
      const stranger = await registeredBrowser(library.app, 'stranger@example.org');
      for (const url of [stemUrl, zipUrl]) assert.equal((await stranger.get(url)).statusCode, 404);
      const promote = library.context.db.updateTable('users').set({ role: 'admin' });
      await promote.where('email', '=', 'stranger@example.org').execute();
      assert.equal((await stranger.get(stemUrl)).statusCode, 200);
      const bare = await library.addTrack(await testWav({ seconds: 2 }));
      const none = await get(pathOf(exportStems, { track_id: bare.id }));
      assert.equal(none.statusCode, 404);
      assert.match(none.payload, /no stems yet: separate it first/);
    },
  );

  await all.test(
    'a stem without disk space is answered with 503 and that reason, and leaves no files',
    async (t) => {
      const { library, get, stemUrl } = opened;
      const { files } = library.context;
      const before = await library.storedFiles();
      const createFolder = files.createStagingFolder.bind(files);
      t.mock.method(files, 'createStagingFolder', async () => {
        const folder = await createFolder();
        for (const format of ['mp3', 'flac']) await symlink('/dev/full', join(folder.path, `stem.${format}`));
        return folder;
      });
      for (const format of ['mp3', 'flac']) {
        const reply = await get(`${stemUrl}?format=${format}`);
        assert.deepEqual([reply.statusCode, reply.headers['retry-after']], [503, '60']);
        const { code, error } = errorBody.parse(reply.json());
        assert.deepEqual([code, error], ['UNAVAILABLE', 'the disk is full: free some space and try again']);
      }
      assert.deepEqual(await library.storedFiles(), before);
    },
  );

  await all.test(
    'a stem above full scale is attenuated with all others of its separation instead of clipped',
    async () => {
      const { library, get, stem, stems, stemUrl } = opened;
      const update = library.context.db.updateTable('stems').set({ peak: 2 });
      await update.where('id', '=', stems[1]?.id ?? '').execute();
      const plain = await readFile(library.context.files.absolute(stem.file_path));
      const lowered = await get(`${stemUrl}?format=flac`);
      const expected = (await decoded(plain)).loudest / 2;
      assert.ok(Math.abs((await decoded(lowered.rawPayload)).loudest - expected) < 1 / 32_768);
    },
  );

  await all.test('refuses an unknown format with 422 instead of sending a WAV', async () => {
    const { get, stemUrl, zipUrl, track } = opened;
    const mixUrl = pathOf(exportMix, { track_id: track.id });
    for (const url of [`${stemUrl}?`, `${zipUrl}?`, `${mixUrl}?without=vocals&`]) {
      for (const format of ['aac', 'WAV', 'toString', '']) {
        const reply = await get(`${url}format=${format}`);
        assert.equal(reply.statusCode, 422, `${url}format=${format}`);
        const { code, details } = errorBody.parse(reply.json());
        assert.equal(code, 'VALIDATION_ERROR');
        assert.match(JSON.stringify(details), /"format"/);
      }
    }
  });

  await all.test('a stem with a missing file is answered with 404 in every format', async () => {
    const { library, get, stem, stemUrl, zipUrl } = opened;
    await library.context.files.remove(stem.file_path);
    for (const format of ['wav', 'mp3', 'flac']) {
      assert.equal((await get(`${stemUrl}?format=${format}`)).statusCode, 404, format);
    }
    assert.equal((await get(zipUrl)).statusCode, 404);
  });
});

test("a stem carries artist and album as set by its owner, and the song's cover art", async (t) => {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const path = join(library.context.folder, 'song.flac');
  const tags = { title: 'Known to the file', artist: 'Somebody', album: 'Somewhere' };
  await writeTaggedFile(path, await testFlac({ seconds: 2 }), tags, tinyPng);
  const track = await library.addTrack(await readFile(path), 'song.flac');
  await library.ask(updateTrack, {
    params: { id: track.id },
    body: { title: 'My title', key: 'A minor', bpm: 123.8 },
  });
  const [stem] = await separated(library, track.id);
  for (const format of ['wav', 'mp3', 'flac']) {
    const url = `${pathOf(exportStem, { id: stem?.id ?? '' })}?format=${format}`;
    const reply = await library.app.inject({ url, headers: library.user.headers });
    const { common, native } = await parseBuffer(reply.rawPayload);
    const comment = native['vorbis']?.find(({ id }) => id === 'INITIALKEY')?.value;
    assert.deepEqual(
      [common.title, common.artist, common.album, common.key ?? comment, common.bpm],
      ['My title (vocals)', 'Somebody', 'Somewhere', 'Am', 124],
      format,
    );
    const [cover] = common.picture ?? [];
    assert.equal(cover?.type, 'Cover (front)');
    assert.ok(tinyPng.equals(cover?.data ?? Buffer.alloc(0)), format);
  }
});

test('a ZIP of a separation into six stems contains all six, or two of them on request', async (t) => {
  const { library, get, zipUrl } = await openExports(t);
  const { db } = library.context;
  const rows = await db.selectFrom('stems').selectAll().orderBy('id').execute();
  const six = ['vocals', 'drums', 'bass', 'other', 'guitar', 'piano'] as const;
  const two = rows.slice(2).map((row, i) => ({
    ...row,
    id: newId(),
    stem_type: i === 0 ? ('guitar' as const) : ('piano' as const),
  }));
  await db.insertInto('stems').values(two).execute();
  const name = (stem: string, extension: string) => `Jóga_ a song (${stem}).${extension}`;
  const all = await get(zipUrl);
  assert.equal(all.headers['content-length'], String(all.rawPayload.length));
  assert.deepEqual(
    [...readZip(all.rawPayload).keys()],
    six.map((stem) => name(stem, 'wav')),
  );
  const some = await get(`${zipUrl}?format=flac&stems=piano,guitar`);
  assert.deepEqual([...readZip(some.rawPayload).keys()], [name('guitar', 'flac'), name('piano', 'flac')]);
});

test('a ZIP may contain some stems, another format, or another separation of the track', async (t) => {
  const { library, get, track, zipUrl } = await openExports(t);
  const preview = await separated(library, track.id, true);
  const some = await get(`${zipUrl}?format=mp3&stems=drums,%20bass&job_id=${preview[0]?.processing_job_id}`);
  const files = readZip(some.rawPayload);
  assert.deepEqual([...files.keys()], ['Jóga_ a song (drums).mp3', 'Jóga_ a song (bass).mp3']);
  for (const bytes of files.values()) assert.equal((await decoded(bytes)).codec, 'mp3');
  const other = await library.addTrack(await testWav({ seconds: 2 }));
  const [otherJob] = await separated(library, other.id);
  const refused: readonly (readonly [string, number, RegExp])[] = [
    [`job_id=${otherJob?.processing_job_id}`, 404, /no completed separation/],
    ['stems=piano', 404, /has the stems vocals, drums, bass, other/],
    ['stems=choir', 422, /stems/],
    ['format=ogg', 422, /format/],
    ['color=red', 422, /color/],
  ];
  for (const [query, status, pattern] of refused) {
    const reply = await get(`${zipUrl}?${query}`);
    assert.equal(reply.statusCode, status, query);
    assert.match(reply.payload, pattern);
  }
});

/** Extends a stored stem to one hour without writing an hour of data. */
async function lengthen(path: string): Promise<void> {
  const frames = 3600 * 44_100;
  const header = createWavHeader({ sampleRate: 44_100, channels: 2, bitDepth: '16' }, frames, false);
  const file = await open(path, 'w');
  await file.write(header);
  await file.close();
  await truncate(path, header.length + frames * 4);
}

function askOverNetwork({ user }: LibraryApp, address: string, url: string): ClientRequest {
  const asked = request(`${address}${url}`, { headers: user.headers, agent: false });
  asked.on('error', () => undefined);
  asked.end();
  return asked;
}

test('clients that disconnect', async (all) => {
  const opened = await openExports(all);
  const { library: studio } = opened;
  await lengthen(studio.context.files.absolute(opened.stem.file_path));
  const address = await studio.service.listen(0, '127.0.0.1');

  await all.test(
    'a client that disconnects during a ZIP closes the open file, and no other is opened',
    async (t) => {
      const { library, zipUrl } = opened;
      const { files } = library.context;
      const read = files.read.bind(files);
      const calls: string[] = [];
      let bytes = 0;
      t.mock.method(files, 'read', async function* (path: string) {
        calls.push('opened');
        try {
          for await (const piece of read(path)) {
            bytes += piece.length;
            yield piece;
          }
        } finally {
          calls.push('closed');
        }
      });
      const asked = askOverNetwork(library, address, zipUrl);
      const [reply] = (await once(asked, 'response')) as [IncomingMessage];
      await once(reply, 'data');
      assert.deepEqual(calls, ['opened']);
      asked.destroy();
      await until(() => calls.length >= 2);
      assert.deepEqual(calls, ['opened', 'closed']);
      assert.ok(bytes < 100_000_000, String(bytes));
      // The second names under which the files were held are gone too.
      await eventually(library.storedFiles, (stored) => stored.every((path) => !path.startsWith('.staging')));
    },
  );

  for (const what of ['stem', 'zip'] as const) {
    await all.test(
      `a client that disconnects while a ${what} is being encoded ends the thread and leaves no files`,
      async () => {
        const { library, stemUrl, zipUrl } = opened;
        const before = await library.storedFiles();
        const asked = askOverNetwork(library, address, `${what === 'stem' ? stemUrl : zipUrl}?format=mp3`);
        await eventually(library.storedFiles, (files) => files.length > before.length);
        asked.destroy();
        await eventually(library.storedFiles, (files) => files.length <= before.length);
        assert.deepEqual(await library.storedFiles(), before);
      },
    );
  }
});
