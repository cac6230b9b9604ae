import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { analysisResult } from '@stem-studio/contract/resources/analysis';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { knownNotes } from '@stem-studio/dsp/testing/known-notes';
import { parseMidi } from 'midi-file';
import { pause } from '../platform/clock.ts';
import { filesBelow, makeFolder } from '../testing/library-steps.ts';
import { runStudio, startStudio } from '../testing/run-studio.ts';
import { fakeM4a, installFakeFfmpeg } from '../testing/stand-ins/fake-ffmpeg.ts';
import { testFlac, testPulse, testWav } from '../testing/test-audio.ts';

test('separate writes only the stems in the requested format, without service and database', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 2 }));
  const ran = await runStudio(folder, ['separate', 'song.wav', '--out', 'stems', '--format', 'flac']);
  assert.equal(ran.code, 0, ran.err);
  const names = ['bass.flac', 'drums.flac', 'other.flac', 'vocals.flac'];
  assert.deepEqual((await readdir(join(folder, 'stems'))).toSorted(), names);
  assert.deepEqual(
    ran.out.trim().split('\n').toSorted(),
    names.map((name) => join(folder, 'stems', name)),
  );
  // The output is not a terminal, so progress is written as lines.
  assert.match(ran.err, /^\d+ % /m);
  assert.ok(!ran.err.includes('\r'));
  const bytes = await readFile(join(folder, 'stems', 'vocals.flac'));
  const source = await openAudio(ReadableStream.from([new Uint8Array(bytes)]));
  assert.deepEqual([source.info.codec, source.info.declared_frames], ['flac', 88_200]);
  await source.close();
  assert.deepEqual((await readdir(folder)).toSorted(), ['song.wav', 'stems']);
});

async function infoOf(path: string) {
  const source = await openAudio(ReadableStream.from([new Uint8Array(await readFile(path))]));
  await source.close();
  return source.info;
}

test('separate writes only the requested stems, with the requested bit depth and length of a preview', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 61 }));
  const args = ['separate', 'song.wav', '--out', 'a/b', '--stems', 'drums, vocals', '--bit-depth', '24'];
  const ran = await runStudio(folder, [...args, '--preview']);
  assert.equal(ran.code, 0, ran.err);
  const out = join(folder, 'a', 'b');
  assert.deepEqual((await readdir(out)).toSorted(), ['drums.wav', 'vocals.wav']);
  const info = await infoOf(join(out, 'vocals.wav'));
  assert.deepEqual([info.bits_per_sample, info.declared_frames], [24, 60 * 44_100]);
});

test('separates and analyses an M4A file with the ffmpeg of FFMPEG_PATH', async (t) => {
  const folder = await makeFolder(t);
  const env = { FFMPEG_PATH: await installFakeFfmpeg(join(folder, 'ffmpeg'), 'decodes') };
  await writeFile(join(folder, 'song.m4a'), fakeM4a(await testFlac({ seconds: 1 })));
  const separated = await runStudio(folder, ['separate', 'song.m4a', '--out', 'stems'], env);
  assert.equal(separated.code, 0, separated.err);
  assert.deepEqual((await readdir(join(folder, 'stems'))).toSorted(), [
    'bass.wav',
    'drums.wav',
    'other.wav',
    'vocals.wav',
  ]);
  const analyzed = await runStudio(folder, ['analyze', 'song.m4a'], env);
  assert.match(analyzed.out, /^duration +1\.0 s$/m);
});

test('rejects an M4A file without ffmpeg, or that ffmpeg cannot decode, with a hint', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'song.m4a'), fakeM4a(Buffer.from('no sound')));
  const broken = await installFakeFfmpeg(join(folder, 'ffmpeg'), 'fails');
  const cases: readonly (readonly [string, RegExp])[] = [
    [join(folder, 'none'), /M4A files must be decoded by ffmpeg .*FFMPEG_PATH/],
    [broken, /must contain audio that ffmpeg can decode/],
  ];
  for (const [FFMPEG_PATH, pattern] of cases) {
    for (const line of ['analyze song.m4a', 'separate song.m4a --out stems']) {
      const ran = await runStudio(folder, line.split(' '), { FFMPEG_PATH });
      assert.equal(ran.code, 1, line);
      assert.match(ran.err, pattern);
    }
  }
  assert.deepEqual((await readdir(folder)).toSorted(), ['ffmpeg', 'song.m4a']);
});

test('exits with 1 and a message, and leaves no files, when a file cannot be separated or analysed', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'text.wav'), 'this is text');
  await mkdir(join(folder, 'album'));
  const lines: readonly (readonly [string, RegExp])[] = [
    ['separate missing.wav --out x', /must be a readable file .*missing\.wav is not there/],
    ['separate album --out y', /must be a readable file .*album is a folder/],
    ['separate text.wav --out z', /must be/],
    ['analyze missing.wav --json', /must be a readable file .*missing\.wav is not there/],
    ['analyze album', /must be a readable file .*album is a folder/],
    ['analyze text.wav', /must be/],
    ['separate text.wav --out text.wav', /EEXIST/],
  ];
  await Promise.all(
    lines.map(async ([line, pattern]) => {
      const ran = await runStudio(folder, line.split(' '));
      assert.deepEqual([ran.code, ran.out], [1, ''], line);
      assert.match(ran.err, pattern);
      assert.ok(!ran.err.includes('    at '), ran.err);
    }),
  );
  assert.deepEqual((await readdir(folder)).toSorted(), ['album', 'text.wav']);
});

test('separate rejects an unknown format and a bit depth that the format lacks, and writes nothing', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 0.2 }));
  const lines: readonly (readonly [string, RegExp])[] = [
    ['--format aac', /--format must be wav, flac, mp3 \(got aac\)/],
    ['--format WAV', /--format must be wav, flac, mp3 \(got WAV\)/],
    ['--format mp3 --bit-depth 16', /--bit-depth is for wav and flac: mp3 has no bit depth/],
    ['--format flac --bit-depth 32f', /--bit-depth must be 16, 24 \(got 32f\)/],
  ];
  for (const [options, text] of lines) {
    const ran = await runStudio(folder, ['separate', 'song.wav', '--out', 'stems', ...options.split(' ')]);
    assert.deepEqual([ran.code, ran.out], [2, ''], options);
    assert.match(ran.err, text);
  }
  assert.deepEqual(await readdir(folder), ['song.wav']);
});

test('an interrupted separation exits with 130 and leaves no files, while separating or encoding', async (t) => {
  const folder = await makeFolder(t);
  const interrupt = async (args: readonly string[], isDue: () => Promise<boolean>) => {
    // A busy machine may check too late: then the song is made twice as long.
    for (let seconds = 15; ; seconds *= 2) {
      await writeFile(join(folder, 'song.wav'), await testWav({ seconds }));
      const child = startStudio(folder, ['separate', 'song.wav', '--out', 'stems', ...args]);
      child.stdout.resume();
      const stderr = text(child.stderr);
      const ended = once(child, 'close') as Promise<[number | null]>;
      while (child.exitCode === null && !(await isDue())) await pause(5);
      child.kill('SIGINT');
      const [code] = await ended;
      const isDone = code === 0 && (await readdir(join(folder, 'stems'))).length === 4;
      if (isDone && seconds < 240) {
        await rm(join(folder, 'stems'), { recursive: true });
        continue;
      }
      assert.equal(code, 130, await stderr);
      assert.deepEqual(await readdir(folder), ['song.wav']);
      return;
    }
  };
  const hasFile = async (ending: RegExp) => (await filesBelow(folder)).some((path) => ending.test(path));
  await interrupt([], () => hasFile(/stems.*vocals/));
  await interrupt(['--format', 'flac'], () => hasFile(/vocals\.wav\.flac$/));
});

test('analyze processes several files in order and continues after an unreadable one', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'a.wav'), await testWav({ seconds: 1 }));
  await writeFile(join(folder, 'text.wav'), 'this is text');
  await writeFile(join(folder, 'b.wav'), await testWav({ seconds: 2 }));
  const files = ['a.wav', 'text.wav', 'b.wav'];
  const ran = await runStudio(folder, ['analyze', ...files, '--json']);
  assert.equal(ran.code, 1);
  assert.match(ran.err, /^text\.wav: .*must be/m);
  const found = ran.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { file: string; duration_seconds: number });
  assert.deepEqual(
    found.map(({ file, duration_seconds }) => [file, duration_seconds]),
    [
      ['a.wav', 1],
      ['b.wav', 2],
    ],
  );
  const summary = await runStudio(folder, ['analyze', 'a.wav', 'b.wav']);
  assert.deepEqual(summary.out.match(/^[ab]\.wav:$/gm), ['a.wav:', 'b.wav:']);
});

test('exits without an error when the reader closes the output', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 1 }));
  const lines = ['models', 'analyze song.wav song.wav --json', 'separate song.wav --out stems', '--help'];
  for (const line of lines) {
    const child = startStudio(folder, line.split(' '));
    child.stdout.destroy();
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    assert.equal(code, 0, `${line}: ${err}`);
    assert.ok(!err.includes('EPIPE'), err);
  }
  assert.equal((await readdir(join(folder, 'stems'))).length, 4);
});

test('analyze prints all results as JSON, or a summary', async (t) => {
  const folder = await makeFolder(t);
  const pulse = await testPulse({ seconds: 12, bpm: 120, chordHz: [220, 261.63, 329.63] });
  await writeFile(join(folder, 'pulse.wav'), pulse);
  const ran = await runStudio(folder, ['analyze', 'pulse.wav', '--json']);
  assert.equal(ran.code, 0, ran.err);
  const found = analysisResult.parse(JSON.parse(ran.out));
  assert.ok(Math.abs((found.tempo ?? 0) - 120) < 1, String(found.tempo));
  assert.equal(found.features?.mfcc?.length, 13);
  const summary = await runStudio(folder, ['analyze', 'pulse.wav']);
  assert.match(summary.out, /^tempo +1(19|20)\.\d\d BPM/m);
});

test('writes a mix without some stems to one file, and stems only if they are requested', async (t) => {
  const folder = await makeFolder(t);
  const song = await testWav({ seconds: 1 });
  await writeFile(join(folder, 'song.wav'), song);
  const run = (...more: string[]) =>
    runStudio(folder, ['separate', 'song.wav', '--out', 'stems', '--without', ...more]);
  const karaoke = await run('vocals');
  assert.deepEqual(
    [karaoke.code, karaoke.out],
    [0, `${join(folder, 'stems', 'no vocals.wav')}\n`],
    karaoke.err,
  );
  const both = await run('vocals,drums', '--stems', 'vocals', '--format', 'flac');
  assert.match(both.out, /no vocals, drums\.flac\n.*vocals\.flac\n$/);
  for (const [list, pattern] of [
    ['shouting', /--without must be vocals, drums, bass, other \(got shouting\)/],
    ['vocals,drums,bass,other', /--without must leave a stem/],
  ] as const) {
    const refused = await run(list);
    assert.deepEqual([refused.code, pattern.test(refused.err)], [2, true], refused.err);
  }
});

test('notes writes only a MIDI file with the detected notes and bars', async (t) => {
  const folder = await makeFolder(t);
  const melody = [60, 62, 64, 65, 67];
  const played = melody.map((pitch, at) => ({
    pitch,
    startSeconds: 0.25 + at / 2,
    endSeconds: 0.65 + at / 2,
  }));
  const encoder = createWavEncoder({ sampleRate: 44_100, channels: 1, bitDepth: '16' });
  await writeFile(join(folder, 'tune.wav'), await encodeFile(encoder, [knownNotes(played, 3, 44_100)]));
  const ran = await runStudio(folder, [
    'notes',
    'tune.wav',
    '--out',
    'tune.mid',
    '--mono',
    '--quantize',
    '16',
  ]);
  assert.equal(ran.code, 0, ran.err);
  assert.equal(ran.out.trim(), join(folder, 'tune.mid'));
  assert.match(ran.err, /^\d+ % transcribing notes/m);
  assert.match(ran.err, /^5 notes$/m);
  const { tracks } = parseMidi(await readFile(join(folder, 'tune.mid')));
  const pitches = tracks[1]?.flatMap((event) => (event.type === 'noteOn' ? [event.noteNumber] : []));
  assert.deepEqual(pitches, melody);
  assert.deepEqual((await readdir(folder)).toSorted(), ['tune.mid', 'tune.wav']);

  const wrong: readonly (readonly [string, number, RegExp])[] = [
    ['notes tune.wav', 2, /--out must be given/],
    ['notes tune.wav --out x.mid --quantize 5', 2, /--quantize must be none, 4, 8, 16, 32 \(got 5\)/],
    ['notes tune.wav --out x.mid --onset 2', 2, /--onset must be 0.05 to 0.95 \(got 2\)/],
    ['notes missing.wav --out x.mid', 1, /missing\.wav is not there/],
    ['notes tune.mid --out x.mid', 1, /must be/],
    ['notes tune.wav --out none/x.mid', 1, /none/],
  ];
  for (const [line, code, pattern] of wrong) {
    const refused = await runStudio(folder, line.split(' '));
    assert.deepEqual([refused.code, refused.out], [code, ''], line);
    assert.match(refused.err, pattern);
    assert.ok(!refused.err.includes('    at '), refused.err);
  }
  assert.deepEqual((await readdir(folder)).toSorted(), ['tune.mid', 'tune.wav']);
});
