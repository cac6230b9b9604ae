import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { writeInsideNetwork } from '@stem-studio/dsp/testing/known-networks';
import { eventually } from '../testing/eventually.ts';
import { sendsAndHangs } from '../testing/file-host.ts';
import { filesBelow, makeFolder } from '../testing/library-steps.ts';
import { runStudio, startStudio } from '../testing/run-studio.ts';
import { testWav } from '../testing/test-audio.ts';
import {
  hostedPath,
  openCatalogue,
  testNotice,
  writeSpleeterArchive,
  writeTar,
} from '../testing/test-catalogue.ts';

const graph = writeInsideNetwork([0.1, 0.2, 0.3, 0.4]).graph;

async function prepare(
  t: Parameters<typeof openCatalogue>[0],
  networks: Parameters<typeof openCatalogue>[1],
) {
  const { host, path } = await openCatalogue(t, networks);
  const folder = await makeFolder(t);
  const env = { MODEL_MIRROR_URL: host.url, MODEL_CATALOGUE: path };
  const run = (...args: string[]) => runStudio(folder, args, env);
  const stored = async () =>
    (await filesBelow(join(folder, 'data', 'models'))).filter((file) => !/\/lock(\.sqlite)?$/.test(file));
  return { host, folder, env, run, stored };
}

test('lists, downloads and removes a network, and asks for its terms', async (t) => {
  const network = { name: 'plain', files: [graph], serves: ['hybrid_4'], mustAccept: true };
  const { host, run, stored } = await prepare(t, [network]);
  const listed = await run('models', 'list', '--networks');
  assert.match(
    listed.out,
    / {2}plain +[\d.]+ k?B +The network plain: can serve hybrid_4\n +a test licence, to be accepted/,
  );
  const refused = await run('models', 'get', 'plain');
  assert.equal(refused.code, 1);
  assert.ok(refused.err.includes(testNotice));
  assert.match(refused.err, /accept these terms with --accept-licence/);
  assert.equal(host.ranges.length, 0);

  const got = await run('models', 'get', 'plain', '--accept-licence');
  assert.equal(got.code, 0, got.err);
  assert.match(got.out, /^[0-9a-f]{64} {2}hybrid_4-[0-9a-f]{12}\/network\.onnx\n$/);
  assert.match(got.err, /90 % downloading/);
  const json = await run('models', 'list', '--networks', '--json');
  const [entry] = JSON.parse(json.out) as { installed_for: string[]; partial_bytes: number }[];
  assert.deepEqual([entry?.installed_for, entry?.partial_bytes], [['hybrid_4'], 0]);
  assert.match((await run('models')).out, /by the network The network plain, added on/);

  assert.match((await run('models', 'remove', 'plain')).err, /is removed: .* free again/);
  assert.deepEqual(await stored(), []);
  assert.equal((await run('models', 'remove', 'plain')).code, 1);
  const unknown = await run('models', 'get', 'nothing');
  assert.deepEqual([unknown.code, /NAME must be plain \(got nothing\)/.test(unknown.err)], [2, true]);
  assert.equal((await run('models', 'get', 'plain', '--for', 'hybrid_6')).code, 2);
});

test('Ctrl+C keeps what has arrived, and the same command goes on from there', async (t) => {
  const network = { name: 'plain', files: [graph], serves: ['hybrid_4'] };
  const { host, folder, env, run, stored } = await prepare(t, [network]);
  const half = Math.floor(graph.length / 2);
  host.behaviour = sendsAndHangs(half);
  const child = startStudio(folder, ['models', 'get', 'plain'], env);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  await eventually(
    () =>
      readFile(join(folder, 'data/models/.downloads/plain/file-1.part')).then(
        ({ length }) => length,
        () => 0,
      ),
    (bytes) => bytes === half,
  );
  const ended = once(child, 'close') as Promise<[number | null]>;
  child.kill('SIGINT');
  assert.deepEqual((await ended)[0], 130, text);
  assert.match(text, /\d+ B are kept: "studio models get plain" goes on from there/);
  assert.match((await run('models', 'list', '--networks')).out, /\d+ B downloaded, not installed/);
  host.behaviour = null;
  assert.equal((await run('models', 'get', 'plain')).code, 0);
  assert.equal(host.ranges.at(-1), `bytes=${half}-`);
  assert.ok((await stored()).every((file) => !file.startsWith('.downloads')));
});

test('reads the checkpoint of an archive; each stem is the squared part of its network', async (t) => {
  const stems = ['vocals', 'drums'];
  const archive = writeSpleeterArchive(stems, [0, Math.log(3)]);
  const network = {
    name: 'checkpoint',
    files: [archive],
    serves: ['alt_4'],
    statesSize: false,
    spleeter: { stems, outputs: 'sigmoid' as const },
  };
  const { host, folder, run, stored } = await prepare(t, [network]);
  const tar = gunzipSync(archive);
  const broken: readonly (readonly [Buffer, RegExp])[] = [
    [archive.subarray(0, archive.length / 2), /SHA-256 must be/],
    [gzipSync(tar.subarray(0, tar.length / 2)), /SHA-256 must be/],
  ];
  for (const [bytes, rule] of broken) {
    host.files.set(hostedPath('checkpoint'), { bytes, etag: `"${bytes.length}"` });
    const refused = await run('models', 'get', 'checkpoint');
    assert.equal(refused.code, 1);
    assert.match(refused.err, rule);
    assert.deepEqual(await stored(), []);
  }
  host.files.set(hostedPath('checkpoint'), { bytes: archive, etag: '"1"' });
  const got = await run('models', 'get', 'checkpoint');
  assert.equal(got.code, 0, got.err);
  assert.deepEqual(
    (await stored()).map((file) => file.replace(/-[0-9a-f]{12}/, '')),
    ['alt_4/network.onnx', 'alt_4/network.weights', 'alt_4.json'],
  );
  // The sigmoids are 1/2 and 3/4, so the masks are 1/4 : 9/16 = 4/13 and 9/13.
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 1 }));
  const made = await run('separate', 'song.wav', '--model', 'alt_4', '--out', 'stems', '--bit-depth', '32f');
  assert.equal(made.code, 0, made.err);
  const [song, vocals, drums] = await Promise.all(
    ['song.wav', 'stems/vocals.wav', 'stems/drums.wav'].map(async (name) => readFile(join(folder, name))),
  );
  assert.ok(song && vocals && drums);
  const [mixture, first, second] = [shortsOf(song), floatsOf(vocals), floatsOf(drums)];
  assert.equal(first.length, mixture.length);
  for (let i = 0; i < mixture.length; i++) {
    assert.ok(Math.abs((first[i] as number) - ((mixture[i] as number) * 4) / 13) < 1e-4, `vocals at ${i}`);
    assert.ok(Math.abs((second[i] as number) - ((mixture[i] as number) * 9) / 13) < 1e-4, `drums at ${i}`);
  }
});

test('names the tensor of a checkpoint that has another shape, and installs nothing', async (t) => {
  const serves = ['alt_4'];
  const spleeter = { stems: ['vocals', 'drums'], outputs: 'sigmoid' as const };
  const one = writeSpleeterArchive(['vocals'], [0]);
  const other = gzipSync(writeTar([['readme.txt', Buffer.from('no checkpoint')]]));
  const { run, stored } = await prepare(t, [
    { name: 'smaller', files: [one], serves, spleeter },
    { name: 'other', files: [other], serves, spleeter },
    { name: 'text', files: [Buffer.from('text')], serves, spleeter },
  ]);
  for (const [name, rule] of [
    ['smaller', /must contain conv2d_7\/kernel/],
    ['other', /must contain model\.index/],
    ['text', /the archive is damaged: it cannot be decompressed/],
  ] as const) {
    const refused = await run('models', 'get', name);
    assert.equal(refused.code, 1);
    assert.match(refused.err, rule);
    assert.match((await run('models', 'remove', name)).err, /is removed/);
  }
  assert.deepEqual(await stored(), []);
});

/** Samples of a 16-bit WAV file after its header of 44 bytes. */
function shortsOf(wav: Buffer): Float32Array {
  const from = wav.indexOf('data') + 8;
  return Float32Array.from(
    { length: (wav.length - from) / 2 },
    (_, i) => wav.readInt16LE(from + 2 * i) / 32_768,
  );
}

/** Samples of a WAV file of 32-bit floats. */
function floatsOf(wav: Buffer): Float32Array {
  const from = wav.indexOf('data') + 8;
  return Float32Array.from({ length: (wav.length - from) / 4 }, (_, i) => wav.readFloatLE(from + 4 * i));
}
