import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import {
  createTestSong,
  encodeFile,
  joinSamples,
  signalToNoiseDb,
} from '@stem-studio/dsp/testing/audio-file';
import { makeFolder } from '../testing/library-steps.ts';
import { runStudio } from '../testing/run-studio.ts';
import { testWav } from '../testing/test-audio.ts';

async function decode(path: string) {
  const source = await openAudio(ReadableStream.from([new Uint8Array(await readFile(path))]));
  const blocks: Float32Array[][] = [];
  for await (const block of source.blocks) blocks.push(block);
  const samples = [0, 1].map((channel) => joinSamples(blocks.map((block) => block[channel] ?? block[0]!)));
  return { info: source.info, samples };
}

test('mix sums stems by their faders and pans into one file, without service and database', async (t) => {
  const folder = await makeFolder(t);
  await mkdir(join(folder, 'Song'));
  const seconds = 2;
  const format = { sampleRate: 44_100, channels: 2, bitDepth: '16' } as const;
  // Different music in each: parts of one song.
  for (const [at, name] of ['vocals', 'bass', 'drums'].entries()) {
    const from = at * 30_000;
    const part = createTestSong(from + seconds * 44_100, 44_100).map((one) => one.subarray(from));
    await writeFile(join(folder, 'Song', `${name}.wav`), await encodeFile(createWavEncoder(format), part));
  }
  const stems = ['vocals', 'bass', 'drums'].map((name) => join('Song', `${name}.wav`));
  const levels = ['--volume', 'vocals=0,bass=0.5,drums=0.25'];
  const ran = await runStudio(folder, ['mix', ...stems, '--out', 'mix.wav', ...levels]);
  assert.equal(ran.code, 0, ran.err);
  assert.equal(ran.out, `${join(folder, 'mix.wav')}\n`);
  const [bass, drums] = [await decode(join(folder, stems[1]!)), await decode(join(folder, stems[2]!))];
  const mixed = await decode(join(folder, 'mix.wav'));
  assert.deepEqual([mixed.info.bits_per_sample, mixed.samples[0]?.length], [24, seconds * 44_100]);
  const wanted = bass.samples.map((one, channel) =>
    one.map((sample, n) => 0.5 * sample + 0.25 * drums.samples[channel]![n]!),
  );
  // The player fades in over its first milliseconds.
  const rested = (channels: readonly Float32Array[]) => channels.map((one) => one.subarray(2000, 86_000));
  const sndr = signalToNoiseDb(rested(wanted), rested(mixed.samples));
  assert.ok(sndr > 60, `${sndr} dB`);
  const left = await runStudio(folder, [
    'mix',
    ...stems,
    '--out',
    'left.wav',
    '--pan',
    'vocals=-1,bass=-1,drums=-1',
  ]);
  assert.equal(left.code, 0, left.err);
  const [, right] = (await decode(join(folder, 'left.wav'))).samples;
  assert.ok(right!.every((sample) => Math.abs(sample) < 1e-4));
  // No temporary folder stays.
  assert.deepEqual((await readdir(folder)).toSorted(), ['Song', 'left.wav', 'mix.wav']);
});

test('mix changes tempo and key of a part of a song, in the format of the output file', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 4 }));
  const args = ['mix', 'song.wav', '--tempo', '80', '--key=-2', '--range', '1-3', '--eq', 'mix=-6/0/kill'];
  const ran = await runStudio(folder, [...args, '--out', 'slow.flac', '--bit-depth', '16']);
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.err, /rendering the mix/);
  const { info } = await decode(join(folder, 'slow.flac'));
  assert.deepEqual([info.codec, info.bits_per_sample, info.declared_frames], ['flac', 16, 2.5 * 44_100]);
});

test('mix refuses settings that a request refuses with exit code 2, and writes nothing', async (t) => {
  const folder = await makeFolder(t);
  const audio = await testWav({ seconds: 1 });
  for (const name of ['song', 'vocals', 'bass']) await writeFile(join(folder, `${name}.wav`), audio);
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['song.wav'], /--out must be given/],
    [['song.wav', '--out', 'a.xyz'], /--format: /],
    [['song.wav', '--out', 'a.wav', '--tempo', '20'], /--tempo: .*50/],
    [['song.wav', '--out', 'a.wav', '--tempo', 'slow'], /--tempo: /],
    [['song.wav', '--out', 'a.wav', '--key', '1.5'], /--key: /],
    [['song.wav', '--out', 'a.wav', '--volume', 'mix=0'], /--volume: must have a row that is audible/],
    [
      ['song.wav', '--out', 'a.wav', '--volume', 'vocals=0'],
      /--volume must name given files: mix \(got vocals\)/,
    ],
    [['song.wav', '--out', 'a.wav', '--volume', '0.5'], /--volume must be pairs/],
    [['song.wav', '--out', 'a.wav', '--range', '3'], /--range must be START-END/],
    [['song.wav', '--out', 'a.wav', '--range', '1-1'], /--range: must be at least 0.1 s long/],
    [['vocals.wav', '--out', 'a.wav', '--pan', 'vocals=2'], /--pan of vocals: /],
    [['vocals.wav', '--out', 'a.wav', '--eq', 'vocals=-30/0/0'], /--eq of vocals \(low\): /],
    [['vocals.wav', '--out', 'a.wav', '--eq', 'vocals=1'], /--eq must be LOW\/MID\/HIGH/],
    [['song.wav', '--out', 'a.mp3', '--bit-depth', '24'], /--bit-depth: must be omitted for mp3/],
    [['vocals.wav', 'song.wav', '--out', 'a.wav'], /the files must be named as stems: .*\(got song.wav\)/],
    [['vocals.wav', './vocals.wav', '--out', 'a.wav'], /each stem must be given once \(got vocals twice\)/],
  ];
  for (const [args, message] of cases) {
    const ran = await runStudio(folder, ['mix', ...args]);
    assert.equal(ran.code, 2, `${args.join(' ')}: ${ran.err}`);
    assert.match(ran.err, message);
  }
  const missing = await runStudio(folder, ['mix', 'none.wav', '--out', 'a.wav']);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /none.wav is not there/);
  assert.deepEqual((await readdir(folder)).toSorted(), ['bass.wav', 'song.wav', 'vocals.wav']);
});
