import assert from 'node:assert/strict';
import { readFile, utimes } from 'node:fs/promises';
import { test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { cancelJob } from '@stem-studio/contract/endpoints/jobs';
import { createMix, downloadMix, getMix, listMixes } from '@stem-studio/contract/endpoints/mixes';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { purgeTrack } from '@stem-studio/contract/endpoints/trash';
import { requestedMix } from '@stem-studio/contract/resources/mix';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { decodeFile, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { openLibrary } from '../../../testing/library-steps.ts';
import { testFlac, testMp3, testWav } from '../../../testing/test-audio.ts';
import { drainJobs, type TestLifetime } from '../../../testing/test-context.ts';
import { removeExpiredMixes } from './mixes.sweeper.ts';

const RATE_HZ = 44_100;
/** Samples after which the fade-in of the start has ended. */
const FADE_FRAMES = 300;

/** Opens a service, with a helper that requests a mix and returns its decoded file. */
async function openMixes(t: TestLifetime) {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const get = (url: string) => library.app.inject({ method: 'GET', url, headers: library.user.headers });
  const post = (id: string, payload: Record<string, unknown>) =>
    library.app.inject({
      method: 'POST',
      url: pathOf(createMix, { id }),
      headers: library.user.headers,
      payload,
    });
  const render = async (track: { id: string }, body: Record<string, unknown>) => {
    const reply = await library.ask(createMix, { params: { id: track.id }, body });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    await drainJobs(library.context);
    const { id } = reply.body.data;
    const { data } = (await library.ask(getMix, { params: { id } })).body;
    assert.deepEqual([data.status, data.error, data.is_ready], ['completed', null, true]);
    const file = await get(pathOf(downloadMix, { id }));
    assert.equal(file.statusCode, 200, file.payload.slice(0, 200));
    return { id, file, audio: await decodeFile(file.rawPayload) };
  };
  return { library, get, post, render };
}

/** Returns a mono song of sines, `[Hz, amplitude]` each. */
const toneFile = (seconds: number, ...tones: readonly (readonly [hz: number, amplitude: number])[]) =>
  encodeFile(createWavEncoder({ sampleRate: RATE_HZ, channels: 1, bitDepth: '24' }), [
    Float32Array.from({ length: seconds * RATE_HZ }, (_, n) =>
      tones.reduce((sum, [hz, level]) => sum + level * Math.sin((2 * Math.PI * hz * n) / RATE_HZ), 0),
    ),
  ]);

/** Returns the amplitude of a sine of that frequency in the middle second. */
function amplitudeOf(samples: Float32Array, hz: number): number {
  const from = Math.floor((samples.length - RATE_HZ) / 2);
  let [re, im, sum] = [0, 0, 0];
  for (let n = 0; n < RATE_HZ; n++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / RATE_HZ);
    re += window * (samples[from + n] ?? 0) * Math.cos((2 * Math.PI * hz * n) / RATE_HZ);
    im += window * (samples[from + n] ?? 0) * Math.sin((2 * Math.PI * hz * n) / RATE_HZ);
    sum += window;
  }
  return (2 * Math.hypot(re, im)) / sum;
}

/** Returns the largest difference between the samples, without the fade-in, in dB of full scale. */
function differenceDb(got: Float32Array, wanted: Float32Array): number {
  let largest = 1e-12;
  for (let n = FADE_FRAMES; n < wanted.length; n++)
    largest = Math.max(largest, Math.abs((got[n] ?? 0) - (wanted[n] ?? 0)));
  return 20 * Math.log10(largest);
}

test('mixes of a separated track', async (all) => {
  const { library, get, post, render } = await openMixes(all);
  const track = await library.addTrack(await testWav({ seconds: 2 }), 'a song.wav');
  const { job_id } = (await library.ask(separate, { body: { track_id: track.id } })).body.data;
  await drainJobs(library.context);
  const { stems } = (await library.ask(getProcessingJob, { params: { id: job_id } })).body.data;
  const decoded = new Map<string, Float32Array[]>();
  for (const { stem_type, file_path } of stems)
    decoded.set(
      stem_type,
      (await decodeFile(await readFile(library.context.files.absolute(file_path)))).samples,
    );
  const types = [...decoded.keys()];
  /** Sum of stems, each at a gain for left and right. */
  const sumOf = (gains: Readonly<Record<string, readonly [number, number]>>, side: 0 | 1) => {
    const sum = new Float32Array(decoded.get('vocals')?.[0]?.length ?? 0);
    for (const [type, pair] of Object.entries(gains))
      decoded.get(type)?.[side]?.forEach((sample, n) => {
        sum[n]! += sample * pair[side];
      });
    return sum;
  };
  const assertSum = (samples: readonly Float32Array[], gains: Parameters<typeof sumOf>[0]) => {
    for (const side of [0, 1] as const) {
      const wanted = sumOf(gains, side);
      assert.equal(samples[side]?.length, wanted.length);
      const difference = differenceDb(samples[side] ?? new Float32Array(0), wanted);
      assert.ok(difference < -90, `${difference} dB`);
    }
  };

  await all.test('with all rows as recorded the file is the sum of the stored stems', async () => {
    const { audio, file } = await render(track, { job_id, rows: types.map((source) => ({ source })) });
    assert.deepEqual([audio.info.codec, audio.info.bits_per_sample], ['wav', 24]);
    assert.match(String(file.headers['content-disposition']), /a song \(mix\)\.wav"/);
    assertSum(audio.samples, Object.fromEntries(types.map((type) => [type, [1, 1]])));
  });

  await all.test(
    'rows that are missing or muted are silent, the others have their volume and pan',
    async () => {
      const { audio } = await render(track, {
        job_id,
        rows: [
          { source: 'vocals', volume: 0 },
          { source: 'drums', pan: -1 },
          { source: 'bass', volume: 0.5, pan: 0.5 },
        ],
        format: 'flac',
        bit_depth: '24',
      });
      assert.equal(audio.info.codec, 'flac');
      const angle = (1.5 * Math.PI) / 4;
      assertSum(audio.samples, {
        drums: [Math.SQRT2, 0],
        bass: [0.5 * Math.SQRT2 * Math.cos(angle), 0.5 * Math.SQRT2 * Math.sin(angle)],
      });
    },
  );

  await all.test('a range has its length and its samples', async () => {
    const { audio } = await render(track, {
      job_id,
      rows: types.map((source) => ({ source })),
      range: { start: 0.5, end: 1.25 },
    });
    const whole = sumOf(Object.fromEntries(types.map((type) => [type, [1, 1] as const])), 0);
    const wanted = whole.subarray(RATE_HZ / 2, 1.25 * RATE_HZ);
    const [left = new Float32Array(0)] = audio.samples;
    assert.equal(left.length, wanted.length);
    const faded = wanted.length - FADE_FRAMES;
    assert.ok(differenceDb(left.subarray(0, faded), wanted.subarray(0, faded)) < -90);
    assert.ok(Math.abs(left.at(-1) ?? 1) < 1e-3, 'the end is faded out');
  });

  await all.test(
    'requests that contradict themselves or the separation are refused with the reason',
    async () => {
      const rows = [{ source: 'vocals' }];
      const refused: readonly (readonly [Record<string, unknown>, RegExp])[] = [
        [{ rows: [] }, /rows/],
        [{ rows }, /only \\?"mix\\?" without a job_id/],
        [{ job_id, rows: [{ source: 'mix' }] }, /stems of the separation/],
        [{ job_id, rows: [...rows, ...rows] }, /each stem once/],
        [{ job_id, rows: [{ source: 'vocals', volume: 0 }] }, /a row that is audible/],
        [{ job_id, rows: [{ source: 'vocals', volume: 2.1 }] }, /volume/],
        [{ job_id, rows: [{ source: 'vocals', eq: { low: 13 } }] }, /low/],
        [{ job_id, rows, tempo: 49 }, /tempo/],
        [{ job_id, rows, key: 13 }, /key/],
        [{ job_id, rows, format: 'mp3', bit_depth: '16' }, /must be omitted for mp3/],
        [{ job_id, rows, range: { start: 1, end: 1.05 } }, /at least 0\.1 s/],
      ];
      for (const [body, pattern] of refused)
        assert.match(JSON.stringify(requestedMix.safeParse(body).error?.issues ?? []), pattern);
      const refusedHere: readonly (readonly [Record<string, unknown>, RegExp])[] = [
        [{ job_id, rows, loudness: 3 }, /loudness/],
        [{ job_id, rows: [{ source: 'piano' }] }, /vocals.*got piano/],
        [{ job_id, rows, range: { start: 5, end: 9 } }, /must begin within the song/],
      ];
      for (const [body, pattern] of refusedHere) {
        const reply = await post(track.id, body);
        assert.equal(reply.statusCode, 422, JSON.stringify(body));
        assert.match(reply.payload, pattern);
      }
      const other = await post(track.id, { job_id: '01920000-0000-7000-8000-000000000000', rows });
      assert.equal(other.statusCode, 404);
    },
  );

  await all.test('a mix whose stems were deleted while it was queued fails with the way out', async () => {
    const body = { job_id, rows: [{ source: 'drums' }], tempo: 77 };
    const { data } = (await library.ask(createMix, { params: { id: track.id }, body })).body;
    const stem = stems.find(({ stem_type }) => stem_type === 'drums');
    await library.context.files.remove(stem?.file_path ?? '');
    await drainJobs(library.context);
    const failed = (await library.ask(getMix, { params: { id: data.id } })).body.data;
    assert.equal(failed.status, 'failed');
    assert.match(failed.error ?? '', /stems of this mix were deleted/);
    assert.equal((await get(pathOf(downloadMix, { id: data.id }))).statusCode, 404);
  });
});

test('mixes of a whole song', async (all) => {
  const { library, get, render } = await openMixes(all);
  const song = await library.addTrack(await toneFile(4, [441, 0.3]), 'a tone.wav');

  await all.test('tempo 90 % and key −2 give the duration and the pitch', async () => {
    const { audio, file } = await render(song, { rows: [{ source: 'mix' }], tempo: 90, key: -2 });
    const name = decodeURIComponent(String(file.headers['content-disposition']));
    assert.match(name, /a tone \(mix, tempo 90, key −2\)\.wav/);
    const [left = new Float32Array(0)] = audio.samples;
    assert.equal(left.length, Math.round((4 * RATE_HZ) / 0.9));
    const hz = 441 * 2 ** (-2 / 12);
    assert.ok(Math.abs(amplitudeOf(left, hz) - 0.3) < 0.005, `${amplitudeOf(left, hz)}`);
    for (const other of [hz * 2 ** (10 / 1200), hz * 2 ** (-10 / 1200), 441])
      assert.ok(amplitudeOf(left, other) < 0.05, `${amplitudeOf(left, other)} at ${other} Hz`);
  });

  await all.test('the equaliser raises, lowers and kills bands', async () => {
    const three = await library.addTrack(
      await toneFile(3, [60, 0.05], [800, 0.1], [9_000, 0.1]),
      'three tones.wav',
    );
    const { audio } = await render(three, {
      rows: [{ source: 'mix', eq: { low: 12, mid: null, high: -6 } }],
    });
    const [left = new Float32Array(0)] = audio.samples;
    const gainDb = (hz: number, level: number) => 20 * Math.log10(amplitudeOf(left, hz) / level);
    assert.ok(Math.abs(gainDb(60, 0.05) - 12) < 0.2, `${gainDb(60, 0.05)} dB`);
    assert.ok(gainDb(800, 0.1) < -60, `${gainDb(800, 0.1)} dB`);
    assert.ok(Math.abs(gainDb(9_000, 0.1) + 6) < 0.2, `${gainDb(9_000, 0.1)} dB`);
  });

  await all.test('songs of other formats and of unknown length are mixed to MP3 with tags', async () => {
    const kinds = [
      ['flac', await testFlac({ seconds: 2 })],
      ['mp3', await testMp3({ seconds: 2, channels: 1 })],
    ] as const;
    for (const [extension, bytes] of kinds) {
      const track = await library.addTrack(bytes, `a song.${extension}`);
      const { audio } = await render(track, { rows: [{ source: 'mix' }], format: 'mp3', tempo: 80 });
      assert.equal(audio.info.codec, 'mp3');
      assert.ok(Math.abs((audio.samples[0]?.length ?? 0) / RATE_HZ - 2.5) < 0.06, extension);
    }
  });

  await all.test('the same request while a mix is queued is that mix; it can be cancelled', async () => {
    const body = { rows: [{ source: 'mix', pan: 0.25 }] };
    const first = await library.ask(createMix, { params: { id: song.id }, body });
    const second = await library.ask(createMix, { params: { id: song.id }, body });
    assert.deepEqual([first.status, second.status], [201, 200]);
    const { id } = first.body.data;
    assert.equal(second.body.data.id, id);
    const running = (await library.ask(listMixes)).body.data;
    assert.equal(running.find((mix) => mix.id === id)?.status, 'queued');
    assert.equal((await library.ask(cancelJob, { params: { id } })).status, 204);
    await drainJobs(library.context);
    const mix = (await library.ask(getMix, { params: { id } })).body.data;
    assert.deepEqual([mix.status, mix.error, mix.is_ready], ['failed', 'cancelled', false]);
    assert.ok((await library.ask(listMixes)).body.data.every((listed) => listed.id !== id));
  });

  await all.test('a file is kept for a day', async () => {
    const { id } = await render(song, { rows: [{ source: 'mix', volume: 0.5 }] });
    const { files } = library.context;
    assert.equal(await removeExpiredMixes(library.context), 0);
    const old = new Date(Date.now() - 25 * 3_600_000);
    await utimes(files.absolute(`mixes/${id}`), old, old);
    assert.equal(await removeExpiredMixes(library.context), 1);
    const reply = await get(pathOf(downloadMix, { id }));
    assert.equal(reply.statusCode, 404);
    assert.match(reply.payload, /kept for a day/);
    assert.equal((await library.ask(getMix, { params: { id } })).body.data.is_ready, false);
  });

  await all.test('files of a purged track are deleted with it', async () => {
    const { id } = await render(song, { rows: [{ source: 'mix', volume: 0.7 }] });
    await library.ask(deleteTrack, { params: { id: song.id } });
    assert.equal((await get(pathOf(downloadMix, { id }))).statusCode, 404);
    await library.ask(purgeTrack, { params: { id: song.id } });
    assert.equal(await library.context.files.stat(`mixes/${id}/mix.wav`), null);
  });
});
