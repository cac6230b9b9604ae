import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestSong, decodeFile, encodeFile } from '../testing/audio-file.ts';
import { flacFile } from '../testing/flac-file.ts';
import { crc16 } from './checksum.ts';
import { createFlacEncoder } from './encode-flac.ts';
import { createQuantizer } from './quantizer.ts';

const rate = 44100;
const length = 3 * rate + 17;
const song = createTestSong(length, rate);
const file = await encodeFile(await createFlacEncoder({ sampleRate: rate, channels: 2, bitDepth: 16 }), song);
const block = 4096;

/** Returns a song rounded to `bits`. */
function rounded(samples: Float32Array[], bits: 16 | 24): Float32Array[] {
  const quantize = createQuantizer(bits);
  return samples.map((part) => part.map((sample) => quantize(sample) / 2 ** (bits - 1)));
}

const wanted = rounded(song, 16);

test('decodes FLAC bit for bit and complete, at 16 and 24 bits and up to full scale', async () => {
  const loud = song.map((part) => part.map((sample) => sample * 3));
  for (const bitDepth of [16, 24] as const) {
    for (const [samples, sampleRate] of [
      [song, rate],
      [loud, 96000],
      [createTestSong(1, rate), rate],
    ] as const) {
      const encoder = await createFlacEncoder({ sampleRate, channels: 2, bitDepth });
      const decoded = await decodeFile(await encodeFile(encoder, samples));
      assert.deepEqual(decoded.samples, rounded(samples, bitDepth));
      assert.equal(decoded.info.declared_frames, samples[0]?.length);
      assert.equal(decoded.info.bits_per_sample, bitDepth);
      assert.deepEqual(decoded.warnings, []);
    }
  }
});

test('keeps the order of one, six and eight audio channels', async () => {
  for (const channels of [1, 6, 8]) {
    const many = createTestSong(10_000, 48000, channels);
    const encoder = await createFlacEncoder({ sampleRate: 48000, channels, bitDepth: 16 });
    assert.deepEqual((await decodeFile(await encodeFile(encoder, many))).samples, rounded(many, 16));
  }
});

test('replaces one frame by silence for a flipped bit and keeps all other positions', async () => {
  const damaged = file.slice();
  const middle = Math.floor(file.length / 2);
  damaged[middle] = (damaged[middle] ?? 0) ^ 0x10;
  const { samples, warnings } = await decodeFile(damaged);
  assert.deepEqual(
    warnings.map(({ code, count }) => [code, count]),
    [['damaged', 1]],
  );
  assert.equal(samples[0]?.length, length);
  const wrong = [...(samples[0] ?? [])].flatMap((sample, frame) =>
    sample === wanted[0]?.[frame] ? [] : [frame],
  );
  const lost = Math.floor((wrong[0] ?? 0) / block);
  assert.ok(
    wrong.length > 0 &&
      wrong.every((frame) => Math.floor(frame / block) === lost && samples[0]?.[frame] === 0),
  );
});

test('drops only the frame whose header has a flipped bit', async () => {
  let header = -1;
  for (let at = 20_000; header < 0; at++) if (file[at] === 0xff && file[at + 1] === 0xf8) header = at;
  const damaged = file.slice();
  damaged[header + 5] = (damaged[header + 5] ?? 0) ^ 1;
  const { samples } = await decodeFile(damaged);
  const wrong = [...(samples[0] ?? [])].flatMap((sample, frame) =>
    sample === wanted[0]?.[frame] ? [] : [frame],
  );
  assert.equal(samples[0]?.length, length);
  assert.equal(new Set(wrong.map((frame) => Math.floor(frame / block))).size, 1);
});

test('decodes the whole frames of a truncated FLAC and counts the missing samples', async () => {
  const { samples, warnings } = await decodeFile(file.subarray(0, Math.floor(file.length / 2)));
  const got = samples[0]?.length ?? 0;
  assert.ok(got > length / 3 && got % block === 0);
  assert.deepEqual(
    samples,
    wanted.map((part) => part.subarray(0, got)),
  );
  assert.deepEqual(
    warnings.map(({ code, count }) => [code, count]),
    [['truncated', length - got]],
  );
});

test('accepts an ID3v1 tag after the last frame', async () => {
  const tag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 0x41)]);
  const { samples, warnings } = await decodeFile(Buffer.concat([file, tag]));
  assert.deepEqual(samples, wanted);
  assert.deepEqual(warnings, []);
});

test('skips metadata blocks between header and audio', async () => {
  const head = file.slice(0, 42);
  head[4] = 0;
  const padding = Buffer.concat([Buffer.from([0x81, 1, 0, 0]), Buffer.alloc(65536, 0xff)]);
  assert.deepEqual((await decodeFile(Buffer.concat([head, padding, file.subarray(42)]))).samples, wanted);
});

test('reports a FLAC without a whole header or a whole frame', async () => {
  await assert.rejects(decodeFile(file.subarray(0, 20)), { code: 'truncated' });
  await assert.rejects(decodeFile(file.subarray(0, 60)), { code: 'truncated' });
  const zeroRate = file.slice();
  zeroRate.fill(0, 18, 20);
  zeroRate[20] = (zeroRate[20] ?? 0) & 15;
  await assert.rejects(decodeFile(zeroRate), { code: 'malformed', message: /sample rate .*got 0\)/ });
  await assert.rejects(decodeFile(Buffer.concat([file.subarray(0, 42), Buffer.alloc(5000, 7)])), {
    code: 'malformed',
  });
});

/** Returns two audio channels of integers over the whole range of `bits`, two frames long and slightly more. */
function integers(bits: number): number[][] {
  const top = 2 ** (bits - 1);
  const ramp = Array.from(
    { length: 2500 },
    (_, at) => Math.round(((at / 2499) * 2 - 1) * (top - 0.5) - 0.5) + 0,
  );
  return [ramp, ramp.map((sample) => -1 - sample)];
}

test('decodes FLAC frames that refer to STREAMINFO for rate or depth bit for bit', async () => {
  const codes = { 8: 1, 16: 4, 24: 6, 32: 7 } as const;
  for (const bitsPerSample of [8, 16, 24, 32] as const) {
    const whole = integers(bitsPerSample);
    const wantedSamples = whole.map((part) =>
      Float32Array.from(part, (sample) => sample / 2 ** (bitsPerSample - 1)),
    );
    for (const [sampleRate, rateCode] of [
      [131_071, 0],
      [44_100, 0],
      [44_100, 9],
    ] as const) {
      for (const bitsCode of [0, codes[bitsPerSample]]) {
        const made = flacFile(whole, { sampleRate, bitsPerSample, rateCode, bitsCode });
        const { samples, warnings, info } = await decodeFile(made);
        assert.deepEqual(
          warnings,
          [],
          `${sampleRate} Hz, ${bitsPerSample} bits, codes ${rateCode}, ${bitsCode}`,
        );
        assert.deepEqual(samples, wantedSamples);
        assert.deepEqual([info.sample_rate, info.bits_per_sample], [sampleRate, bitsPerSample]);
      }
    }
  }
});

test('decodes every frame despite a wrong number of samples in the header', async () => {
  const whole = integers(16);
  const wantedSamples = whole.map((part) => Float32Array.from(part, (sample) => sample / 2 ** 15));
  const made = flacFile(whole, { sampleRate: 44_100, bitsPerSample: 16 });
  const unknown = made.slice();
  unknown.fill(0, 22, 26);
  assert.deepEqual((await decodeFile(unknown)).samples, wantedSamples);
  const tooFew = made.slice();
  tooFew.fill(0, 22, 26);
  tooFew[25] = 1;
  assert.deepEqual((await decodeFile(tooFew)).samples, wantedSamples);
});

test('rejects a FLAC of another depth than 8, 16, 24 or 32 bits and states the depth', async () => {
  for (const [bitsPerSample, bitsCode] of [
    [12, 2],
    [20, 5],
    [20, 0],
    [17, 0],
  ] as const) {
    const made = flacFile(integers(bitsPerSample), { sampleRate: 44_100, bitsPerSample, bitsCode });
    await assert.rejects(decodeFile(made), {
      code: 'unsupported_format',
      message: new RegExp(`got ${bitsPerSample}\\)`),
    });
  }
});

test('replaces undecodable frames with correct checksums by silence and prints nothing', async (t) => {
  const whole = integers(16);
  const good = flacFile(whole, { sampleRate: 44_100, bitsPerSample: 16 });
  const frameBytes = 8 + 2 * (1 + 2 * 1024) + 2;
  const print = t.mock.method(globalThis.console, 'error', () => undefined);
  for (const bad of [[0, 1], [1]]) {
    const made = good.slice();
    for (const frame of bad) {
      const frameBody = made.subarray(42 + frame * frameBytes, 42 + (frame + 1) * frameBytes);
      // A reserved subframe type.
      frameBody[8] = 0x60;
      const check = crc16(frameBody, 0, frameBytes - 2);
      frameBody.set([check >> 8, check & 255], frameBytes - 2);
    }
    const { samples, warnings } = await decodeFile(made);
    assert.deepEqual(
      warnings.map(({ code, count }) => [code, count]),
      [['damaged', bad.length]],
    );
    const isLost = (at: number) => bad.includes(Math.floor(at / 1024));
    assert.deepEqual(
      samples,
      whole.map((part) => Float32Array.from(part, (sample, at) => (isLost(at) ? 0 : sample / 2 ** 15))),
    );
  }
  assert.equal(print.mock.callCount(), 0);
});
