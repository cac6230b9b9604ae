import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestSong, decodeFile, signalToNoiseDb, toChunks } from '../testing/audio-file.ts';
import { joinOgg, splitOgg, type TestPage } from '../testing/ogg-file.ts';
import { opusSong, vorbisSong } from '../testing/ogg-songs.ts';
import { surroundTonesHz, vorbisSurround } from '../testing/ogg-surround.ts';
import { openAudio } from './audio-stream.ts';

const LENGTH = 20_000;
const cases = [
  { codec: 'ogg', file: vorbisSong(), sampleRate: 44_100, headerPages: 2, preSkip: 0 },
  { codec: 'opus', file: opusSong(), sampleRate: 48_000, headerPages: 2, preSkip: 312 },
] as const;
const codes = (decoded: { warnings: readonly { code: string }[] }) =>
  decoded.warnings.map(({ code }) => code);
const renumber = (pages: readonly TestPage[], serial: number) => pages.map((page) => ({ ...page, serial }));

for (const { codec, file, sampleRate, headerPages, preSkip } of cases) {
  const song = createTestSong(LENGTH, sampleRate);

  test(`${codec}: decodes to the exact length, without shift or the encoder's padding`, async () => {
    for (const chunkBytes of [1, 777, 100_000]) {
      const { samples, info, warnings } = await decodeFile(file, {}, chunkBytes);
      assert.deepEqual(
        [info.codec, info.sample_rate, info.channels, info.bits_per_sample],
        [codec, sampleRate, 2, null],
      );
      assert.deepEqual([samples[0]?.length, samples[1]?.length], [LENGTH, LENGTH]);
      // A shift by one sample reduces the ratio to 20 dB for the first tone and 11 dB for the overtone.
      assert.ok(signalToNoiseDb(song, samples) > 15, `${signalToNoiseDb(song, samples)} dB`);
      assert.deepEqual(warnings, []);
    }
  });

  test(`${codec}: ends the audio at the position of the last page`, async () => {
    const pages = splitOgg(file);
    const last = pages.at(-1);
    assert.ok(last);
    last.granule -= 300n;
    assert.equal((await decodeFile(joinOgg(pages))).samples[0]?.length, LENGTH - 300);
  });

  test(`${codec}: concatenates chained streams of the same format`, async () => {
    const chain = joinOgg([...splitOgg(file), ...renumber(splitOgg(file), 77)]);
    const { samples, warnings } = await decodeFile(chain);
    const alone = await decodeFile(file);
    assert.equal(samples[0]?.length, 2 * LENGTH);
    assert.deepEqual(samples[0]?.subarray(0, LENGTH), alone.samples[0]);
    assert.deepEqual(samples[0]?.subarray(LENGTH), alone.samples[0]);
    assert.deepEqual(warnings, []);
  });

  test(`${codec}: leaves out a chained stream of another format and reports it`, async () => {
    const other = renumber(splitOgg(file), 77);
    const head = other[0];
    assert.ok(head);
    // Number of audio channels in the header.
    head.body[codec === 'ogg' ? 11 : 9] = 1;
    const decoded = await decodeFile(joinOgg([...splitOgg(file), ...other]));
    assert.equal(decoded.samples[0]?.length, LENGTH);
    assert.deepEqual(codes(decoded), ['other_stream']);
  });

  test(`${codec}: skips multiplexed streams of other codecs`, async () => {
    const [head, ...rest] = splitOgg(file);
    assert.ok(head);
    const video = (flags: number, sequence: number): TestPage => ({
      flags,
      granule: 0n,
      serial: 5,
      sequence,
      lacing: [8],
      body: Uint8Array.from('\x80theora!', (letter) => letter.charCodeAt(0)),
    });
    const pages = [video(2, 0), head, ...rest.flatMap((page, index) => [page, video(0, index + 1)])];
    const decoded = await decodeFile(joinOgg(pages));
    assert.equal(decoded.samples[0]?.length, LENGTH);
    assert.deepEqual(decoded.warnings, []);
  });

  test(`${codec}: replaces a damaged page by silence and keeps the position of later audio`, async () => {
    const pages = splitOgg(file);
    const at = headerPages + 1;
    const page = pages[at];
    assert.ok(page);
    const before = joinOgg(pages.slice(0, at)).length;
    const damaged = file.slice();
    damaged[before + 200] = (damaged[before + 200] ?? 0) ^ 0x10;
    const decoded = await decodeFile(damaged);
    const whole = await decodeFile(file);
    assert.equal(decoded.samples[0]?.length, LENGTH);
    assert.deepEqual(codes(decoded), ['damaged']);
    const lost = Number(pages[at - 1]?.granule) - preSkip + 1500;
    assert.equal(decoded.samples[0]?.[lost], 0);
    const tail = (samples: Float32Array[]) => samples.map((part) => part.subarray(-4000));
    assert.ok(signalToNoiseDb(tail(whole.samples), tail(decoded.samples)) > 20);
  });

  test(`${codec}: reports a missing page`, async () => {
    const pages = splitOgg(file);
    pages.splice(headerPages + 1, 1);
    const decoded = await decodeFile(joinOgg(pages));
    assert.equal(decoded.samples[0]?.length, LENGTH);
    assert.deepEqual(codes(decoded), ['damaged']);
  });

  test(`${codec}: decodes a truncated file to its end and reports it`, async () => {
    const pages = splitOgg(file);
    const most = joinOgg(pages.slice(0, -1));
    for (const cut of [most, file.subarray(0, most.length + 60)]) {
      const decoded = await decodeFile(cut);
      assert.equal(decoded.samples[0]?.length, Number(pages.at(-2)?.granule) - preSkip);
      assert.deepEqual(codes(decoded), ['truncated']);
    }
    const headers = joinOgg(pages.slice(0, headerPages));
    await assert.rejects(decodeFile(headers), { code: 'no_samples' });
    for (const bytes of [20, 60, headers.length - 5]) {
      await assert.rejects(decodeFile(file.subarray(0, bytes)), {
        name: 'AudioFormatError',
        code: 'truncated',
      });
    }
  });

  test(`${codec}: gives a part cut from a longer stream its own length`, async () => {
    const pages = splitOgg(file);
    for (const [index, page] of pages.entries()) if (index >= headerPages) page.granule += 1_000_000n;
    const { samples, warnings } = await decodeFile(joinOgg(pages));
    assert.equal(samples[0]?.length, LENGTH);
    assert.deepEqual(warnings, []);
  });
}

for (const { codec, file } of cases) {
  const endOf = (bytes: Uint8Array) => (count: number) => Promise.resolve(bytes.slice(-count));
  const declared = async (bytes: Uint8Array, isSeekable = true) => {
    const readEnd = endOf(bytes);
    return (await decodeFile(bytes, isSeekable ? { readEnd } : {})).info.declared_frames;
  };

  test(`${codec}: takes the declared length from the last page of a seekable file`, async () => {
    assert.equal(await declared(file), LENGTH);
    assert.equal(await declared(file, false), null);
    const early = await openAudio(toChunks(file), { readEnd: endOf(file) });
    assert.equal(early.info.declared_frames, LENGTH);
    await early.close();
    const later = splitOgg(file);
    for (const page of later.slice(2)) page.granule += 1_000_000n;
    assert.equal(await declared(joinOgg(later)), LENGTH);
    const cut = file.subarray(0, -60);
    assert.equal(await declared(cut), (await decodeFile(cut)).samples[0]?.length);
  });

  test(`${codec}: declares no length for chained streams`, async () => {
    const chain = joinOgg([...splitOgg(file), ...renumber(splitOgg(file), 77)]);
    assert.equal(await declared(chain), null);
  });

  test(`${codec}: leaves out a chained stream with invalid headers and reports it`, async () => {
    const other = renumber(splitOgg(file), 77);
    const setup = other[1]?.body;
    // Vorbis has its codebooks there; Opus a comment, on which nothing depends.
    setup?.fill(0x55, setup.length - 2000);
    const decoded = await decodeFile(joinOgg([...splitOgg(file), ...other]));
    assert.equal(decoded.samples[0]?.length, codec === 'ogg' ? LENGTH : 2 * LENGTH);
    assert.deepEqual(codes(decoded), codec === 'ogg' ? ['other_stream'] : []);
  });
}

test('vorbis: returns six audio channels in the order of WAV', async () => {
  const { samples, info, warnings } = await decodeFile(vorbisSurround());
  assert.deepEqual([info.channels, info.sample_rate, samples[0]?.length], [6, 8000, 3200]);
  assert.deepEqual(warnings, []);
  for (const [channel, hz] of surroundTonesHz.entries()) {
    const part = samples[channel] ?? new Float32Array(0);
    let [energy, re, im] = [0, 0, 0];
    for (const [n, sample] of part.entries()) {
      energy += sample ** 2;
      re += sample * Math.cos((2 * Math.PI * hz * n) / 8000);
      im += sample * Math.sin((2 * Math.PI * hz * n) / 8000);
    }
    const tone = (re ** 2 + im ** 2) * (2 / part.length);
    assert.ok(tone / energy > 0.9, `${hz} Hz: ${tone / energy} of audio channel ${channel}`);
    assert.ok(Math.abs(Math.sqrt((2 * energy) / part.length) - 0.125) < 0.02, `${hz} Hz: level`);
  }
});

test('vorbis: starts at the first sample if the first page ends on a block before short ones', async () => {
  const pages = splitOgg(vorbisSong());
  const [, , first] = pages;
  assert.ok(first);
  // The page contains packets that give 0, 576, 1024, 1024, 1024 (long, before short ones), 576 and 128 samples.
  const ends = first.lacing.flatMap((piece, index) => (piece < 255 ? [index + 1] : []));
  const cut = ends[4] ?? 0;
  const bytes = first.lacing.slice(0, cut).reduce((sum, piece) => sum + piece, 0);
  const head = {
    ...first,
    granule: 3648n,
    lacing: first.lacing.slice(0, cut),
    body: first.body.slice(0, bytes),
  };
  const rest = { ...first, lacing: first.lacing.slice(cut), body: first.body.slice(bytes) };
  const all = [...pages.slice(0, 2), head, rest, ...pages.slice(3)];
  const { samples, warnings } = await decodeFile(
    joinOgg(all.map((page, sequence) => ({ ...page, sequence }))),
  );
  assert.deepEqual(samples, (await decodeFile(vorbisSong())).samples);
  assert.deepEqual(warnings, []);
});

test('rejects invalid headers with the rule and the value', async () => {
  const change = (file: Uint8Array, at: number, value: number) => {
    const pages = splitOgg(file);
    pages[0]?.body.set([value], at);
    return decodeFile(joinOgg(pages));
  };
  const vorbis = vorbisSong();
  const opus = opusSong();
  await assert.rejects(change(vorbis, 11, 0), {
    code: 'malformed',
    message: /1 to 8 audio channels \(got 0\)/,
  });
  await assert.rejects(change(vorbis, 14, 255), { code: 'malformed', message: /sample rate must be/ });
  await assert.rejects(change(vorbis, 28, 0x23), { code: 'malformed', message: /64 to 8192 .*got 8 and 4/ });
  await assert.rejects(change(vorbis, 7, 9), { code: 'unsupported_format', message: /version 0 \(got 9\)/ });
  await assert.rejects(change(opus, 9, 3), { code: 'malformed', message: /mono or stereo \(got 3\)/ });
  await assert.rejects(change(opus, 8, 16), { code: 'unsupported_format', message: /version 1 \(got 16\)/ });
  await assert.rejects(change(opus, 18, 7), { code: 'unsupported_format', message: /family .*\(got 7\)/ });
});

test('applies the gain of an Opus head', async () => {
  const pages = splitOgg(opusSong());
  // −6.02 dB in steps of 1/256 dB.
  const head = pages[0]?.body;
  assert.ok(head);
  new DataView(head.buffer, head.byteOffset).setInt16(16, Math.round(-6.0206 * 256), true);
  const quiet = await decodeFile(joinOgg(pages));
  const loud = await decodeFile(opusSong());
  for (const [index, sample] of (quiet.samples[0] ?? []).entries())
    assert.ok(Math.abs(sample - (loud.samples[0]?.[index] ?? 0) / 2) < 1e-4);
});

test('opus: replaces invalid packets by silence, reports them as damaged and prints nothing', async (t) => {
  const printer = globalThis.console;
  const complain = t.mock.method(printer, 'error', () => undefined);
  const pages = splitOgg(opusSong());
  const [head] = pages;
  assert.ok(head);
  // The header declares two streams of one channel each: no packet of one stream contains two.
  head.body = Uint8Array.of(...head.body.subarray(0, 18), 1, 2, 0, 0, 1);
  head.lacing = [head.body.length];
  const decoded = await decodeFile(joinOgg(pages));
  assert.deepEqual(codes(decoded), ['damaged']);
  assert.equal(decoded.samples[0]?.length, LENGTH);
  assert.deepEqual(
    complain.mock.calls.map((call) => call.arguments),
    [],
  );
  assert.equal(printer.error, complain);
});

test('vorbis: replaces undecodable packets by silence and reports them as damaged', async () => {
  const song = vorbisSong();
  const whole = await decodeFile(song);
  const pages = splitOgg(song);
  const page = pages[3];
  assert.ok(page && (page.lacing[0] ?? 0) < 255 && (page.lacing[1] ?? 0) < 255, 'two short packets');
  // The first bit of a packet marks it as not audio.
  const second = page.lacing[0] ?? 0;
  page.body[second] = (page.body[second] ?? 0) | 1;
  const decoded = await decodeFile(joinOgg(pages));
  assert.deepEqual(codes(decoded), ['damaged']);
  assert.equal(decoded.samples[0]?.length, LENGTH);
  const tail = (samples: Float32Array[]) => samples.map((part) => part.subarray(LENGTH - 4000));
  assert.ok(signalToNoiseDb(tail(whole.samples), tail(decoded.samples)) > 20);
});
