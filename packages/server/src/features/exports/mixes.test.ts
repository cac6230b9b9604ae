import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { exportMix, exportStemFile } from '@stem-studio/contract/endpoints/exports';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { decodeAlacPacket } from '@stem-studio/dsp/testing/alac-decoder';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import { parseBuffer } from 'music-metadata';
import { eventually } from '../../testing/eventually.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs, type TestLifetime } from '../../testing/test-context.ts';

/** Opens a service with a separated track of one second, its stored stems, and a helper that downloads files. */
async function openMixes(t: TestLifetime) {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const track = await library.addTrack(await testWav(), 'a song.wav');
  const { job_id: id } = (await library.ask(separate, { body: { track_id: track.id } })).body.data;
  await drainJobs(library.context);
  const { stems } = (await library.ask(getProcessingJob, { params: { id } })).body.data;
  const stored = await Promise.all(
    stems.map((stem) => readFile(library.context.files.absolute(stem.file_path))),
  );
  const get = (url: string, method: 'GET' | 'HEAD' = 'GET') =>
    library.app.inject({ method, url, headers: library.user.headers });
  return { library, track, stems, stored, get };
}

/** Returns the samples of each channel as 16-bit integers. */
async function integersOf(bytes: Buffer): Promise<number[][]> {
  const sides: number[][] = [[], []];
  const source = await openAudio(ReadableStream.from([new Uint8Array(bytes)]));
  for await (const block of source.blocks)
    for (const [index, side] of sides.entries())
      for (const sample of block[index] ?? []) side.push(sample * 32_768);
  return sides;
}

/** Returns the content of an MP4 box by its path. Each box is the first of its type within the previous one. */
function boxOf(file: Buffer, ...path: readonly string[]): Buffer {
  return path.reduce((within, type) => within.subarray(within.indexOf(type, 0, 'latin1') + 4), file);
}

test('mixes of a separated track', async (all) => {
  const opened = await openMixes(all);

  await all.test(
    'a song without its vocals, or with only some stems, is the exact sum of the remaining samples',
    async () => {
      const { library, track, stems, stored, get } = opened;
      const before = await library.storedFiles();
      const integers = await Promise.all(stored.map(integersOf));
      const cases = [
        [{ without: 'vocals' }, ['drums', 'bass', 'other'], 'no vocals'],
        [{ without: 'vocals, drums' }, ['bass', 'other'], 'no vocals and drums'],
        [{ only: 'bass,drums,other' }, ['drums', 'bass', 'other'], 'only bass, drums and other'],
        [{ only: 'vocals' }, ['vocals'], 'only vocals'],
      ] as const;
      for (const [query, remaining, part] of cases) {
        const url = `${pathOf(exportMix, { track_id: track.id })}?${new URLSearchParams(query).toString()}`;
        const reply = await get(url);
        assert.equal(reply.statusCode, 200, reply.payload.slice(0, 200));
        assert.match(String(reply.headers['content-disposition']), new RegExp(`a song \\(${part}\\)\\.wav"`));
        assert.deepEqual(
          [reply.headers['content-type'], reply.headers['accept-ranges'], reply.headers['content-length']],
          ['audio/wav', 'none', String(reply.rawPayload.length)],
        );
        const found = await integersOf(reply.rawPayload);
        for (const [index, side] of found.entries()) {
          assert.equal(side.length, 44_100);
          for (const [at, value] of side.entries()) {
            const sum = stems.reduce((total, stem, which) => {
              const isIn = (remaining as readonly string[]).includes(stem.stem_type);
              return total + (isIn ? (integers[which]?.[index]?.[at] ?? 0) : 0);
            }, 0);
            if (value !== sum) assert.fail(`${part}: sample ${at} is ${value} instead of ${sum}`);
          }
        }
        const head = await get(url, 'HEAD');
        assert.deepEqual([head.statusCode, head.rawPayload.length], [200, 0]);
      }
      await eventually(library.storedFiles, (files) => files.length <= before.length);
    },
  );

  await all.test(
    'a mix requires exactly one of without and only, existing stems, and at least one remaining stem',
    async () => {
      const { track, get } = opened;
      const url = pathOf(exportMix, { track_id: track.id });
      const refused = [
        ['', 422, /one of both, without or only \(got none\)/],
        ['?without=vocals&only=bass', 422, /\(got both\)/],
        ['?without=vocals,drums,bass,other', 422, /must leave a stem/],
        ['?without=shouting', 422, /without/],
        ['?without=piano', 404, /has the stems .* \(asked for piano\)/],
      ] as const;
      for (const [query, status, pattern] of refused) {
        const reply = await get(url + query);
        assert.deepEqual([reply.statusCode, pattern.test(reply.payload)], [status, true], reply.payload);
      }
    },
  );

  await all.test(
    'a STEM file has the song and four stems with the stored samples, named for DJ programs',
    async () => {
      const { library, track, stems, stored, get } = opened;
      const before = await library.storedFiles();
      const reply = await get(pathOf(exportStemFile, { track_id: track.id }));
      assert.equal(reply.statusCode, 200, reply.payload.slice(0, 200));
      assert.deepEqual(
        [reply.headers['content-type'], reply.headers['content-length']],
        ['audio/mp4', String(reply.rawPayload.length)],
      );
      assert.match(String(reply.headers['content-disposition']), /a song \(stems\)\.stem\.mp4"/);
      const file = reply.rawPayload;
      const { common } = await parseBuffer(file, { mimeType: 'audio/mp4' });
      assert.equal(common.title, 'a song');
      const moov = boxOf(file, 'moov');
      const named = JSON.parse(/\{"mastering_dsp".*?\]\}/.exec(moov.toString('latin1'))?.[0] ?? '') as {
        version: number;
        stems: { name: string }[];
      };
      assert.equal(named.version, 1);
      assert.deepEqual(
        named.stems.map(({ name }) => name),
        ['Drums', 'Bass', 'Other', 'Vocals'],
      );
      const integers = await Promise.all(stored.map(integersOf));
      const wanted = (type: string | null): number[][] =>
        [0, 1].map((side) =>
          Array.from({ length: 44_100 }, (_, at) =>
            stems.reduce(
              (sum, stem, i) =>
                sum + (type === null || stem.stem_type === type ? (integers[i]?.[side]?.[at] ?? 0) : 0),
              0,
            ),
          ),
        );
      let rest = moov;
      for (const type of [null, 'drums', 'bass', 'other', 'vocals']) {
        rest = boxOf(rest, 'trak');
        const sizes = boxOf(rest, 'stsz');
        const chunks = boxOf(rest, 'co64');
        let at = Number(chunks.readBigUInt64BE(8));
        const found: number[][] = [[], []];
        for (let packet = 0; packet < sizes.readUInt32BE(8); packet++) {
          const size = sizes.readUInt32BE(12 + 4 * packet);
          for (const [side, samples] of decodeAlacPacket(file.subarray(at, at + size), 16).entries())
            found[side]?.push(...samples);
          at += size;
        }
        assert.deepEqual(found, wanted(type), `${type}`);
      }
      await eventually(library.storedFiles, (files) => files.length <= before.length);
    },
  );

  await all.test(
    'a mix as MP3 and FLAC is named in its tags; a sum above full scale is a float WAV',
    async () => {
      const { library, track, stems, get } = opened;
      // Two stems of a loud square wave, each below full scale, exceed it together.
      const loud = createWavEncoder({ sampleRate: 44_100, channels: 2, bitDepth: '16' });
      const side = Float32Array.from({ length: 44_100 }, (_, i) => (i % 100 < 50 ? 0.75 : -0.75));
      const body = await loud.encode([side, side]);
      const { tail, patches } = await loud.finish();
      const bytes = Buffer.concat([body, tail]);
      for (const patch of patches) bytes.set(patch.bytes, patch.offset);
      for (const { stem_type, file_path } of stems)
        if (stem_type === 'drums' || stem_type === 'bass')
          await writeFile(library.context.files.absolute(file_path), bytes);
      const fetch = async (query: string) =>
        (await get(`${pathOf(exportMix, { track_id: track.id })}?only=drums,bass${query}`)).rawPayload;
      const source = await openAudio(ReadableStream.from([new Uint8Array(await fetch(''))]));
      assert.equal(source.info.bits_per_sample, 32);
      for await (const [left = []] of source.blocks)
        for (const [i, sample] of [...left].entries()) assert.equal(Math.abs(sample), 1.5, `sample ${i}`);
      for (const format of ['mp3', 'flac']) {
        const file = await fetch(`&format=${format}`);
        assert.equal((await parseBuffer(file)).common.title, 'a song (only drums and bass)');
        const { samples } = await decodeFile(file);
        assert.ok(Math.max(...(samples[0]?.subarray(0, 20_000) ?? [])) > 0.9, format);
      }
    },
  );
});
