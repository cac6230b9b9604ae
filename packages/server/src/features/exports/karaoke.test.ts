import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { exportMix } from '@stem-studio/contract/endpoints/exports';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { transposedKey } from '@stem-studio/contract/transposed-key';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { StemMixer } from '@stem-studio/renderer/stem-mixer/stem-mixer';
import { parseBuffer } from 'music-metadata';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs, type TestLifetime } from '../../testing/test-context.ts';

const RATE_HZ = 44_100;
const SECONDS = 3;

/** Opens a service with a separated track, and helpers that download its mixes. */
async function openKaraoke(t: TestLifetime) {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const track = await library.addTrack(await testWav({ seconds: SECONDS }), 'a song.wav');
  await library.ask(updateTrack, { params: { id: track.id }, body: { bpm: 120, key: 'A minor' } });
  const get = (query: Readonly<Record<string, string>>) =>
    library.app.inject({
      url: `${pathOf(exportMix, { track_id: track.id })}?${new URLSearchParams(query).toString()}`,
      headers: library.user.headers,
    });
  const before = await get({ part: 'instrumental' });
  assert.deepEqual(
    [before.statusCode, /separate it first/.test(before.payload)],
    [404, true],
    before.payload,
  );
  const { job_id: id } = (await library.ask(separate, { body: { track_id: track.id } })).body.data;
  await drainJobs(library.context);
  const { stems } = (await library.ask(getProcessingJob, { params: { id } })).body.data;
  const stored = new Map<string, Float32Array[]>();
  for (const stem of stems) {
    const bytes = await readFile(library.context.files.absolute(stem.file_path));
    stored.set(stem.stem_type, (await decodeFile(bytes)).samples);
  }
  return { library, track, stored, get };
}

/** Renders stems as the page does: each is a source of the stem mixer. */
function renderAsPage(stems: readonly Float32Array[][], rate: number, semitones: number): Float32Array[] {
  const mixer = new StemMixer(RATE_HZ);
  const frames = stems[0]?.[0]?.length ?? 0;
  mixer.apply({
    type: 'setup',
    sampleRateHz: RATE_HZ,
    stems: stems.map(() => ({ frames, channels: 2 })),
  });
  mixer.apply({ type: 'tempo', rate, semitones, isKeyLocked: true });
  for (const [stem, sides] of stems.entries())
    for (let index = 0; index * CHUNK_FRAMES < frames; index++) {
      const samples = new Float32Array(2 * CHUNK_FRAMES);
      for (let n = 0; n < CHUNK_FRAMES; n++)
        for (const [side, all] of sides.entries()) samples[2 * n + side] = all[index * CHUNK_FRAMES + n] ?? 0;
      mixer.apply({ type: 'chunk', stem, index, samples });
    }
  mixer.apply({ type: 'play', id: 1 });
  const length = Math.ceil((frames / rate + mixer.delayFrames) / 128) * 128;
  const sides = [new Float32Array(length), new Float32Array(length)] as const;
  mixer.process(...sides, length);
  return sides.map((side) => side.subarray(mixer.delayFrames));
}

test('instrumental and a cappella of a track', async (all) => {
  const { stored, get } = await openKaraoke(all);

  await all.test('are the exact sums of the stored stems at the recorded tempo and key', async () => {
    for (const [part, types, name] of [
      ['instrumental', ['drums', 'bass', 'other'], 'no vocals'],
      ['a_cappella', ['vocals'], 'only vocals'],
    ] as const) {
      const reply = await get({ part, tempo: '100', key: '0' });
      assert.equal(reply.statusCode, 200, reply.payload.slice(0, 200));
      assert.match(String(reply.headers['content-disposition']), new RegExp(`a song \\(${name}\\)\\.wav"`));
      const { samples } = await decodeFile(reply.rawPayload);
      for (const [side, found] of samples.entries()) {
        assert.equal(found.length, SECONDS * RATE_HZ);
        for (const [n, sample] of found.entries()) {
          const sum = types.reduce((total, type) => total + (stored.get(type)?.[side]?.[n] ?? 0), 0);
          if (sample !== sum) assert.fail(`${part}: sample ${n} is ${sample} instead of ${sum}`);
        }
      }
    }
  });

  await all.test('sound as on the page at another tempo and key, in length, samples and tags', async () => {
    const reply = await get({ part: 'instrumental', tempo: '80', key: '2' });
    assert.equal(reply.statusCode, 200, reply.payload.slice(0, 200));
    assert.match(
      String(reply.headers['content-disposition']),
      /a song \(no vocals, tempo 80, key \+2\)\.wav"/,
    );
    const { samples, info } = await decodeFile(reply.rawPayload);
    assert.equal(info.bits_per_sample, 16);
    const page = renderAsPage(
      ['drums', 'bass', 'other'].map((type) => stored.get(type) ?? []),
      0.8,
      2,
    );
    for (const [side, found] of samples.entries()) {
      assert.equal(found.length, Math.round((SECONDS * RATE_HZ) / 0.8));
      let worst = 0;
      for (const [n, sample] of found.entries())
        worst = Math.max(worst, Math.abs(sample - (page[side]?.[n] ?? 0)));
      // Rounding to 16 bits, and sums of stems in single precision.
      assert.ok(worst <= 0.6 / 32_768, `side ${side}: ${worst * 32_768} steps of 16 bits`);
      assert.ok(found.some((sample) => Math.abs(sample) > 0.01));
    }
    const { common } = await parseBuffer(reply.rawPayload);
    assert.deepEqual([common.bpm, common.key], [96, 'Bm']);
  });

  await all.test('only the tempo or only the key changes, in every format', async () => {
    for (const [query, name, seconds] of [
      [{ format: 'mp3', tempo: '125' }, 'only vocals, tempo 125', SECONDS / 1.25],
      [{ format: 'flac', key: '-3' }, 'only vocals, key _3', SECONDS],
    ] as const) {
      const reply = await get({ part: 'a_cappella', ...query });
      assert.equal(reply.statusCode, 200, reply.payload.slice(0, 200));
      assert.match(
        String(reply.headers['content-disposition']),
        new RegExp(`filename="a song \\(${name}\\)\\.${query.format}"`),
      );
      const { samples } = await decodeFile(reply.rawPayload);
      const found = (samples[0]?.length ?? 0) / RATE_HZ;
      assert.ok(Math.abs(found - seconds) < 0.06, `${found} s instead of ${seconds} s`);
    }
  });

  await all.test('values out of range and contradicting choices are refused with the rule', async () => {
    for (const [query, message] of [
      [{ part: 'karaoke' }, /part/],
      [{ part: 'instrumental', tempo: '49' }, /tempo/],
      [{ part: 'instrumental', tempo: '151' }, /tempo/],
      [{ part: 'instrumental', tempo: '99.555' }, /tempo/],
      [{ part: 'instrumental', tempo: '' }, /tempo/],
      [{ part: 'instrumental', key: '13' }, /key/],
      [{ part: 'instrumental', key: 'up' }, /key/],
      [{ part: 'instrumental', key: '' }, /key/],
      [{ part: 'instrumental', without: 'drums' }, /must not be combined/],
    ] as const) {
      const reply = await get(query);
      assert.deepEqual([reply.statusCode, message.test(reply.payload)], [422, true], reply.payload);
    }
  });
});

test('the key in the tags follows the key of the export', () => {
  assert.deepEqual(
    [
      transposedKey('A minor', 2),
      transposedKey('C major', -1),
      transposedKey('', 3),
      transposedKey('B major', 12),
    ],
    ['B minor', 'B major', '', 'B major'],
  );
});
