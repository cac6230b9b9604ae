import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { listJobs } from '@stem-studio/contract/endpoints/jobs';
import { openProjectArchive } from '@stem-studio/contract/endpoints/project-archives';
import {
  addEditOperations,
  getProject,
  listEditOperations,
  setProjectPosition,
} from '@stem-studio/contract/endpoints/projects';
import { getTrack, listTracks } from '@stem-studio/contract/endpoints/tracks';
import { projectArchive } from '@stem-studio/contract/resources/project-archive';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import { stagingName } from '../../../platform/files/local-files.ts';
import {
  changedArchive,
  createToneProject,
  downloadArchive,
  renderedMix,
  sendArchive,
  stemRateHz,
  stemSeconds,
  toneFile,
} from '../../../testing/archive-steps.ts';
import { eventually } from '../../../testing/eventually.ts';
import { type LibraryApp, multipart, openLibrary } from '../../../testing/library-steps.ts';
import { sentEdit } from '../../../testing/project-steps.ts';
import { readZip } from '../../../testing/read-zip.ts';
import { drainJobs, type TestLifetime } from '../../../testing/test-context.ts';

/** The service with an edited project, one of whose operations is undone, and its archive. */
async function openStudio(t: TestLifetime) {
  const library = await openLibrary(t);
  const made = await createToneProject(library);
  const params = { id: made.projectId };
  const edits = [
    sentEdit('cut', { start_ms: 200, end_ms: 500, stem_type: 'vocals' }),
    sentEdit('paste', { to_ms: 1500 }),
    sentEdit('transpose', { value: -3, stem_type: 'other' }),
    sentEdit('reverb_send', { value: 40, stem_type: 'vocals' }),
    sentEdit('pan', { value: -60, stem_type: 'drums' }),
    sentEdit('marker', { start_ms: 1500, label: 'Chorus' }),
    sentEdit('add_notes', {
      stem_type: 'bass',
      notes: [{ start_ms: 100, length_ms: 200, pitch: 36, velocity: 90 }],
    }),
    sentEdit('warp', {
      points: [
        { from_ms: 0, to_ms: 0 },
        { from_ms: 2000, to_ms: 2100 },
      ],
    }),
    sentEdit('mute', { value: 1 }),
  ];
  const added = await library.ask(addEditOperations, { params, body: { edits } });
  const { version } = added.body.data;
  await library.ask(setProjectPosition, { params, body: { position: edits.length - 1, version } });
  const archive = await downloadArchive(library, made.projectId);
  assert.equal(archive.statusCode, 200, archive.body.slice(0, 300));
  // The links that keep the files readable while they are sent are removed after the reply.
  await eventually(
    () => stagedFiles(library),
    (left) => left === 0,
  );
  return { library, ...made, params, archive };
}

/** Returns the number of files and folders in the staging folder. */
async function stagedFiles({ context }: LibraryApp): Promise<number> {
  return (await readdir(join(context.config.uploadsDir, stagingName)).catch(() => [])).length;
}

/** Returns the largest difference of two renderings, which have the same length. */
function difference(one: readonly Float32Array[], other: readonly Float32Array[]): number {
  assert.deepEqual(
    one.map(({ length }) => length),
    other.map(({ length }) => length),
  );
  return Math.max(
    ...one.map((samples, channel) =>
      samples.reduce((most, sample, n) => Math.max(most, Math.abs(sample - (other[channel]?.[n] ?? 0))), 0),
    ),
  );
}

const stateWithoutIds = async (library: LibraryApp, id: string) => {
  const { state, name, operations, position } = (await library.ask(getProject, { params: { id } })).body.data;
  return { state, name, operations, position };
};
const logWithoutIds = async (library: LibraryApp, id: string) =>
  (await library.ask(listEditOperations, { params: { id } })).body.data.map(
    ({ project_id: _project, track_id: _track, ...operation }) => operation,
  );

/** @spec Project archives */
test('a project is exported with its audio and sounds the same when another user opens it in another studio', async (t) => {
  const { library, projectId, jobId, song, archive } = await openStudio(t);
  assert.equal(archive.headers['content-type'], 'application/zip');
  assert.equal(Number(archive.headers['content-length']), archive.rawPayload.length);
  assert.match(String(archive.headers['content-disposition']), /\(Radio edit, project\)\.zip/);
  const files = readZip(archive.rawPayload);
  assert.deepEqual(
    [...files.keys()],
    [
      'manifest.json',
      'stems/drums.wav',
      'stems/bass.wav',
      'stems/other.wav',
      'stems/vocals.wav',
      'original.wav',
    ],
  );
  assert.deepEqual(files.get('original.wav'), Buffer.from(song));
  const stored = await readFile(library.context.files.absolute(`stems/${jobId}/other.wav`));
  assert.deepEqual(files.get('stems/other.wav'), stored);
  const manifest = projectArchive.parse(JSON.parse(String(files.get('manifest.json'))));
  assert.deepEqual(
    [manifest.name, manifest.position, manifest.operations.length, manifest.state.markers],
    ['Radio edit', 8, 9, [{ start_ms: 1575, label: 'Chorus' }]],
  );

  const elsewhere = await openLibrary(t, { config: { autoSeparate: true } });
  const opened = await sendArchive(elsewhere, archive.rawPayload);
  assert.equal(opened.status, 201);
  const { track_id, project_id, job_id } = opened.body.data;
  assert.deepEqual(await stateWithoutIds(elsewhere, project_id), await stateWithoutIds(library, projectId));
  assert.deepEqual(await logWithoutIds(elsewhere, project_id), await logWithoutIds(library, projectId));
  const before = await renderedMix(library, projectId);
  assert.equal(difference(before, await renderedMix(elsewhere, project_id)), 0, 'the same samples');

  await drainJobs(elsewhere.context);
  const track = (await elsewhere.ask(getTrack, { params: { id: track_id } })).body.data;
  assert.equal(track.title, manifest.track.title);
  assert.ok(track.audio, 'the song is prepared');
  assert.equal(track.download?.job_id, job_id);
  const jobs = (await elsewhere.ask(listJobs)).body.data.filter(({ type }) => type === 'processing');
  assert.equal(jobs.length, 1, 'the stems came with the song: it is not separated again');

  // Undone operations come along, and the project goes on.
  const params = { id: project_id };
  const { version } = (await elsewhere.ask(getProject, { params })).body.data;
  const redone = await elsewhere.ask(setProjectPosition, { params, body: { position: 9, version } });
  assert.equal(redone.status, 200);
  const lanes = (await elsewhere.ask(getProject, { params })).body.data.state.lanes;
  assert.deepEqual(
    lanes.map(({ is_muted }) => is_muted),
    [true, true, true, true],
  );
  const again = await downloadArchive(elsewhere, project_id);
  assert.equal(again.statusCode, 200);
  assert.deepEqual(readZip(again.rawPayload).get('original.wav'), Buffer.from(song));
});

test('an archive without the song gets the sum of its stems as the song', async (t) => {
  const { library, archive } = await openStudio(t);
  const without = await changedArchive(archive.rawPayload, (manifest, files) => {
    files.delete('original.wav');
    return { ...manifest, original: null };
  });
  const { track_id } = (await sendArchive(library, without)).body.data;
  await drainJobs(library.context);
  const track = (await library.ask(getTrack, { params: { id: track_id } })).body.data;
  assert.equal(track.download?.error, null);
  const sources = await library.context.db.selectFrom('audio_sources').selectAll().execute();
  const path = sources.find(({ bits_per_sample }) => bits_per_sample === 32)?.received_path ?? '';
  const { samples } = await decodeFile(await readFile(library.context.files.absolute(path)));
  for (const n of [100, 50_000, stemSeconds * stemRateHz - 1]) {
    const sum = [330, 110, 440, 220].reduce(
      (all, hz) => all + 0.1 * Math.sin((2 * Math.PI * hz * n) / stemRateHz),
      0,
    );
    assert.ok(Math.abs((samples[0]?.[n] ?? 0) - sum) < 2e-5, `frame ${n}`);
  }
});

test('an archive of a project of somebody else, or without stems, is refused', async (t) => {
  const { library, projectId, jobId } = await openStudio(t);
  const stranger = await library.registerUser();
  assert.equal((await downloadArchive(library, projectId, stranger)).statusCode, 404);
  await rm(library.context.files.absolute(`stems/${jobId}/bass.wav`));
  const refused = await downloadArchive(library, projectId);
  assert.equal(refused.statusCode, 422);
  assert.match(refused.body, /PROJECT_WITHOUT_STEMS/);
});

/** Returns a ZIP of one deflated file that states another size than it has. */
function lyingZip(name: string, content: Buffer, statedBytes: number): Buffer {
  const packed = deflateRawSync(content);
  const head = (signature: number, length: number) => {
    const bytes = Buffer.alloc(length);
    bytes.writeUInt32LE(signature, 0);
    return bytes;
  };
  const local = head(0x04034b50, 30);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(statedBytes, 22);
  local.writeUInt16LE(name.length, 26);
  const central = head(0x02014b50, 46);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(statedBytes, 24);
  central.writeUInt16LE(name.length, 28);
  const end = head(0x06054b50, 22);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}

test('of an archive that is damaged, dishonest or not of this version nothing remains, and the rule is named', async (t) => {
  const { library, archive } = await openStudio(t);
  const zip = archive.rawPayload;
  const change = (changed: Parameters<typeof changedArchive>[1]) => changedArchive(zip, changed);
  const flipped = Buffer.from(zip);
  flipped[Math.floor(zip.length / 2)]! ^= 255;
  const otherTone = await toneFile(500, '24', stemSeconds - 1);
  const cases: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['no ZIP', Buffer.from('RIFF, but not a ZIP'), /must be a complete ZIP file/],
    ['a truncated ZIP', zip.subarray(0, zip.length - 1000), /must be a complete ZIP file/],
    ['a flipped byte', flipped, /in the archive is damaged \(its checksum does not match\)/],
    [
      'a path upwards',
      lyingZip('../../secret', Buffer.from('a'), 1),
      /relative names \(.*\.\.\/\.\.\/secret/,
    ],
    ['an absolute path', lyingZip('/etc/passwd', Buffer.from('a'), 1), /relative names \(.*absolute path/],
    ['no manifest', lyingZip('a.txt', Buffer.from('a'), 1), /must contain manifest\.json/],
    [
      'a ZIP bomb that states its size',
      lyingZip('stems/vocals.wav', Buffer.alloc(1000), 0xf000_0000),
      /a file in it must have at most .* \(stems\/vocals\.wav has/,
    ],
    [
      'a ZIP bomb that hides its size',
      lyingZip('manifest.json', Buffer.alloc(50_000_000, ' '), 100),
      /manifest\.json in the archive is damaged \(too many bytes/,
    ],
    [
      'a newer version',
      await change((manifest) => ({ ...manifest, version: 2, more: true })),
      /must have a version up to 1 \(it has 2\): update this studio/,
    ],
    ['an unknown key', await change((manifest) => ({ ...manifest, colour: 'red' })), /"colour"/],
    ['another format', await change(() => ({ format: 'song' })), /must be an archive of a project/],
    [
      'a missing stem',
      await change((manifest, files) => {
        files.delete('stems/bass.wav');
        return manifest;
      }),
      /must contain stems\/bass\.wav, which the manifest names/,
    ],
    [
      'a stem that the project plays and nothing names',
      await change((manifest) => ({ ...manifest, stems: manifest.stems.slice(1) })),
      /must contain the stem drums, which the project plays/,
    ],
    [
      'a stem that is not audio',
      await change((manifest, files) => {
        const text = Buffer.from('this is a text, not audio. '.repeat(100));
        files.set('stems/bass.wav', text);
        const stems = manifest.stems.map((stem) =>
          stem.stem_type === 'bass' ? { ...stem, bytes: text.length } : stem,
        );
        return { ...manifest, stems };
      }),
      /stems\/bass\.wav: /,
    ],
    [
      'a stem of another length',
      await change((manifest, files) => {
        files.set('stems/vocals.wav', otherTone);
        const stems = manifest.stems.map((stem) =>
          stem.stem_type === 'vocals' ? { ...stem, bytes: otherTone.length } : stem,
        );
        return { ...manifest, stems };
      }),
      /stems\/vocals\.wav must last 3000 ms, as the manifest states \(it lasts 2000 ms\)/,
    ],
    [
      'a stem of another size',
      await change((manifest, files) => {
        files.set('stems/vocals.wav', otherTone);
        return manifest;
      }),
      /stems\/vocals\.wav must have \d+ bytes, as the manifest states/,
    ],
    [
      'a path in the manifest',
      await change((manifest) => ({
        ...manifest,
        stems: manifest.stems.map((stem) => ({ ...stem, path: '../stems/bass.wav' })),
      })),
      /stems\.0\.path must be a relative path without "\.\."/,
    ],
    [
      'a song that is not audio',
      await change((manifest, files) => {
        const text = Buffer.from('no audio at all');
        files.set('original.wav', text);
        return { ...manifest, original: { path: 'original.wav', file_name: 'a.wav', bytes: text.length } };
      }),
      /not a readable audio file/,
    ],
    [
      'operations that lead to another state',
      await change((manifest) => ({ ...manifest, operations: manifest.operations.slice(1), position: 7 })),
      /must lead to the state in the manifest/,
    ],
    [
      'a position beyond the log',
      await change((manifest) => ({ ...manifest, position: 10 })),
      /position must be 0 to 9, the number of operations \(got 10\)/,
    ],
  ];
  const filesBefore = await library.storedFiles();
  for (const [name, bytes, rule] of cases) {
    const { status, error } = await sendArchive(library, bytes);
    assert.deepEqual([name, status], [name, 422], JSON.stringify(error));
    assert.match(JSON.stringify(error).replaceAll('\\"', '"'), rule, name);
    assert.match(error.error, /nothing was stored/i, name);
  }
  assert.deepEqual(await library.storedFiles(), filesBefore);
  assert.equal((await library.ask(listTracks)).body.data.length, 1);
});

test('an archive that does not fit into the quota is refused with the numbers, and nothing of it remains', async (t) => {
  const { archive } = await openStudio(t);
  const quotas = { storageBytes: 0, tracks: 0, queuedJobs: 0, stemSets: 0 };
  const bytes = archive.rawPayload.length + 1000;
  for (const limits of [{ storageBytes: bytes - 2000 }, { storageBytes: bytes }, { stemSets: 1 }]) {
    const elsewhere = await openLibrary(t, { config: { quotas: { ...quotas, ...limits } } });
    if ('stemSets' in limits) await createToneProject(elsewhere);
    const before = await elsewhere.storedFiles();
    const { status, error } = await sendArchive(elsewhere, archive.rawPayload);
    assert.deepEqual([status, error.code], [422, 'QUOTA_EXCEEDED']);
    assert.match(error.error, 'stemSets' in limits ? /1 of 1 separation/ : /Your storage is full/);
    assert.deepEqual(await elsewhere.storedFiles(), before);
    assert.equal(await stagedFiles(elsewhere), 0);
  }
});

test('of an archive whose sender vanishes in mid-upload nothing remains', async (t) => {
  const { library, archive } = await openStudio(t);
  const before = await library.storedFiles();
  const address = await library.service.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = new URL(address);
  const form = multipart([{ name: 'file', fileName: 'project.zip', bytes: archive.rawPayload }]);
  const socket = connect(Number(port), '127.0.0.1');
  const headers = { host: '127.0.0.1', ...library.user.headers, ...form.headers };
  const lines = Object.entries({ ...headers, 'content-length': form.payload.length });
  socket.write(`POST ${openProjectArchive.path} HTTP/1.1\r\n`);
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`);
  socket.write(form.payload.subarray(0, form.payload.length / 2));
  await eventually(
    () => stagedFiles(library),
    (left) => left > 0,
  );
  socket.destroy();
  await eventually(
    () => stagedFiles(library),
    (left) => left === 0,
  );
  assert.deepEqual(await library.storedFiles(), before);
});
