import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportEdit } from '@stem-studio/contract/endpoints/edit-export';
import { errorBody } from '@stem-studio/contract/errors';
import { type EditManifest, editManifest } from '@stem-studio/contract/resources/edit-manifest';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { decodeFile, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { arrangeProject } from '@stem-studio/renderer/editor/arrangement';
import { EditMixer } from '@stem-studio/renderer/editor/edit-mixer';
import { CHUNK_FRAMES, chunkCount } from '@stem-studio/renderer/sources/chunk';
import { stagingName } from '../../../platform/files/local-files.ts';
import { eventually } from '../../../testing/eventually.ts';
import { type FormPart, type LibraryApp, multipart, openLibrary } from '../../../testing/library-steps.ts';
import { enrol } from '../../../testing/roles/enrol.ts';
import type { TestLifetime } from '../../../testing/test-context.ts';
import { insertTestTrack } from '../../../testing/test-track.ts';
import { manifestState } from './manifest-state.ts';

const rateHz = 44_100;
const seconds = 4;
const stems: readonly StemType[] = ['vocals', 'drums'];

/** Left channel of a stem; the right one is half of it. */
const sampleOf = (stem: StemType, frame: number): number =>
  0.3 * Math.sin((2 * Math.PI * (stem === 'vocals' ? 220 : 330) * frame) / rateHz);

async function stemFile(stem: StemType, format: 'wav' | 'flac'): Promise<Uint8Array> {
  const left = Float32Array.from({ length: seconds * rateHz }, (_, n) => sampleOf(stem, n));
  const shape = { sampleRate: rateHz, channels: 2 } as const;
  const encoder =
    format === 'wav'
      ? createWavEncoder({ ...shape, bitDepth: '32f' })
      : await createFlacEncoder({ ...shape, bitDepth: 24 });
  return encodeFile(encoder, [left, left.map((sample) => sample / 2)]);
}

/** The service with a track and a logged-in browser. */
async function openStudio(t: TestLifetime) {
  const library = await openLibrary(t);
  const trackId = await insertTestTrack(library.context, library.user.id, 'A song');
  const caller = { name: 'owner', standing: 'owner', way: 'cookie', hasCsrf: true } as const;
  const headers = await enrol(library.context, caller, { ...library.user, mark: '' }, '', null);
  return { library, trackId, headers: { host: '127.0.0.1:4000', ...headers } };
}

async function formOf(
  trackId: string,
  manifest: unknown,
  files: readonly FormPart[] | null = null,
): Promise<FormPart[]> {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  return [
    { name: 'track_id', bytes: Buffer.from(trackId) },
    ...(files ?? [
      { name: 'stems[]', fileName: 'vocals.wav', bytes: await stemFile('vocals', 'wav') },
      { name: 'stems[]', fileName: 'Drums.flac', bytes: await stemFile('drums', 'flac') },
    ]),
    { name: 'manifest', bytes: Buffer.from(text) },
  ];
}

async function post({ app }: LibraryApp, parts: readonly FormPart[], headers: Record<string, string>) {
  const form = multipart(parts);
  return app.inject({
    method: 'POST',
    url: exportEdit.path,
    headers: { ...headers, ...form.headers },
    payload: form.payload,
  });
}

/** Returns what the page plays from the beginning: the mixer of the worklet, in blocks of 128 frames. */
function preview(manifest: EditManifest, frames: number): readonly [Float32Array, Float32Array] {
  const durations = stems.map((stem_type) => ({ stem_type, duration_ms: seconds * 1000 }));
  const mixer = new EditMixer(rateHz);
  const length = seconds * rateHz;
  mixer.apply({ type: 'setup', sources: stems.map(() => ({ frames: length, channels: 2 })) });
  for (const [source, stem] of stems.entries())
    for (let index = 0; index < chunkCount(length); index++) {
      const samples = new Float32Array(2 * CHUNK_FRAMES);
      for (let n = 0; n < CHUNK_FRAMES; n++) {
        samples[2 * n] = sampleOf(stem, index * CHUNK_FRAMES + n);
        samples[2 * n + 1] = samples[2 * n]! / 2;
      }
      mixer.apply({ type: 'chunk', source, index, samples });
    }
  const arrangement = arrangeProject(manifestState(manifest, durations), stems, rateHz);
  mixer.apply({ type: 'arrangement', arrangement });
  mixer.apply({ type: 'play', id: 1 });
  const output = [new Float32Array(frames), new Float32Array(frames)] as const;
  for (let at = 0; at < frames; at += 128)
    mixer.process(
      output[0].subarray(at, Math.min(frames, at + 128)),
      output[1].subarray(at, Math.min(frames, at + 128)),
      Math.min(128, frames - at),
    );
  return output;
}

const edits = {
  volumes: { vocals: 150, drums: 80 },
  pans: { vocals: -40 },
  edits: [
    { operation: 'cut', params: { start_ms: 500, end_ms: 900, stem_type: 'vocals' } },
    { operation: 'paste', params: { to_ms: 2100 } },
    { operation: 'fade_out', params: { start_ms: 3000, end_ms: 4000, curve: 's_curve' } },
    { operation: 'remove_time', params: { start_ms: 1000, end_ms: 1250 } },
  ],
};

test('mixes uploaded stems by a manifest into the WAV file that the page plays, to −90 dB', async (t) => {
  const { library, trackId, headers } = await openStudio(t);
  const reply = await post(library, await formOf(trackId, { ...edits, bit_depth: '32f' }), headers);
  assert.equal(reply.statusCode, 200, reply.body.slice(0, 300));
  assert.equal(reply.headers['content-type'], 'audio/wav');
  assert.match(String(reply.headers['content-disposition']), /A song.*edit.*\.wav/);
  const { info, samples } = await decodeFile(new Uint8Array(reply.rawPayload));
  assert.deepEqual([info.sample_rate, info.channels, info.bits_per_sample], [rateHz, 2, 32]);
  const frames = 3.75 * rateHz;
  assert.equal(samples[0]?.length, frames);
  const played = preview(editManifest.parse(edits), frames);
  // The preview fades in when it starts.
  const from = Math.ceil(0.006 * rateHz);
  let largest = 0;
  for (const [channel, expected] of played.entries())
    for (let n = from; n < frames; n++)
      largest = Math.max(largest, Math.abs((samples[channel]?.[n] ?? 0) - expected[n]!));
  assert.ok(largest < 10 ** (-90 / 20), `${20 * Math.log10(largest)} dB`);
  assert.ok(
    samples[0]?.some((sample) => sample > 0.5),
    'it sounds',
  );
});

test('writes a range with the requested bit depth, and nothing remains on the disk', async (t) => {
  const { library, trackId, headers } = await openStudio(t);
  const manifest = { range: { start_ms: 1000, end_ms: 1500 }, bit_depth: '16' };
  const reply = await post(library, await formOf(trackId, manifest), headers);
  const { info, samples } = await decodeFile(new Uint8Array(reply.rawPayload));
  assert.deepEqual([info.bits_per_sample, samples[0]?.length], [16, 0.5 * rateHz]);
  const expected = sampleOf('vocals', rateHz + 100) + sampleOf('drums', rateHz + 100);
  assert.ok(Math.abs((samples[0]?.[100] ?? 0) - expected) < 3 / 32_768, 'a dithered sample');
  await eventually(
    () => readdir(join(library.context.config.uploadsDir, stagingName)),
    (left) => left.length === 0,
  );
});

test('a manifest that breaks a rule is refused with rule and value', async (t) => {
  const { library, trackId, headers } = await openStudio(t);
  const edit = (operation: string, params: object) => ({ edits: [{ operation, params }] });
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ['an unknown key', { speed: 2 }, /speed/],
    ['a volume', { volumes: { vocals: 201 } }, /manifest\.volumes\.vocals.*200.*201/],
    ['an unknown stem', { pans: { kazoo: 1 } }, /kazoo/],
    ['a negative start', edit('cut', { start_ms: -1, end_ms: 5 }), /start_ms.*-1/],
    ['a reversed span', edit('cut', { start_ms: 9, end_ms: 5 }), /end_ms.*after start_ms/],
    ['an unknown operation', edit('explode', {}), /operation/],
    ['no JSON', '{"volumes":', /manifest.*JSON/],
  ];
  for (const [what, manifest, expected] of cases) {
    const reply = await post(library, await formOf(trackId, manifest), headers);
    assert.equal(reply.statusCode, 422, `${what}: ${reply.body.slice(0, 300)}`);
    assert.match(JSON.stringify(errorBody.parse(reply.json())), expected, what);
  }
});

test('stems that break a rule, other fields and tracks of others are refused, and nothing remains', async (t) => {
  const { library, trackId, headers } = await openStudio(t);
  const wav = await stemFile('vocals', 'wav');
  const files: readonly (readonly [string, readonly FormPart[], number, RegExp])[] = [
    ['no stems', [], 422, /stems.*required/],
    [
      'a name',
      [{ name: 'stems[]', fileName: 'lead.wav', bytes: wav }],
      422,
      /named by their type.*lead\.wav/,
    ],
    [
      'the same stem twice',
      ['vocals.wav', 'vocals.flac'].map((fileName) => ({ name: 'stems[]', fileName, bytes: wav })),
      422,
      /each type once.*vocals/,
    ],
    [
      'a stem that is not audio',
      [{ name: 'stems[]', fileName: 'vocals.wav', bytes: Buffer.from('a text, no song'.repeat(99)) }],
      422,
      /stems\.vocals/,
    ],
    ['another field', [{ name: 'photo', fileName: 'me.png', bytes: wav }], 422, /photo.*not a known field/],
  ];
  for (const [what, parts, status, expected] of files) {
    const reply = await post(library, await formOf(trackId, {}, parts), headers);
    assert.equal(reply.statusCode, status, `${what}: ${reply.body.slice(0, 300)}`);
    assert.match(JSON.stringify(errorBody.parse(reply.json())), expected, what);
  }
  const stranger = await library.registerUser();
  const others = await insertTestTrack(library.context, stranger.id);
  assert.equal((await post(library, await formOf(others, {}), headers)).statusCode, 404);
  assert.equal((await post(library, await formOf('7', {}), headers)).statusCode, 422);
  const many = Array.from({ length: 10_001 }, () => ({ operation: 'split', params: { start_ms: 1 } }));
  const tooMany = await post(library, await formOf(trackId, { edits: many }), headers);
  assert.equal(tooMany.statusCode, 422);
  assert.match(tooMany.body, /10000/);
  await eventually(
    () => readdir(join(library.context.config.uploadsDir, stagingName)),
    (left) => left.length === 0,
  );
});

test('of a client that vanishes in the middle of its upload nothing remains', async (t) => {
  const { library, trackId, headers } = await openStudio(t);
  const address = await library.service.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = new URL(address);
  const form = multipart(await formOf(trackId, edits));
  const socket = connect(Number(port), '127.0.0.1');
  const lines = Object.entries({ ...headers, ...form.headers, 'content-length': form.payload.length });
  socket.write(`POST ${exportEdit.path} HTTP/1.1\r\n`);
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`);
  socket.write(form.payload.subarray(0, form.payload.length / 2));
  const staging = join(library.context.config.uploadsDir, stagingName);
  const count = async () => (await readdir(staging).catch(() => [])).length;
  await eventually(count, (left) => left > 0);
  socket.destroy();
  await eventually(count, (left) => left === 0);
});
