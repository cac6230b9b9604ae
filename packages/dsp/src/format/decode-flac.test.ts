import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestSong, decodeFile, encodeFile } from '../testing/audio-file.ts';
import { createFlacEncoder } from './encode-flac.ts';
import { createQuantizer } from './quantizer.ts';

const rate = 44100;
const length = 3 * rate + 17;
const song = createTestSong(length, rate);
const file = await encodeFile(await createFlacEncoder({ sampleRate: rate, channels: 2, bitDepth: 16 }), song);
const block = 4096;

/** What a song is after rounding to `bits`. */
function rounded(samples: Float32Array[], bits: 16 | 24): Float32Array[] {
  const quantize = createQuantizer(bits);
  return samples.map((part) => part.map((sample) => quantize(sample) / 2 ** (bits - 1)));
}

const wanted = rounded(song, 16);

test('FLAC comes back bit for bit and whole, at 16 and 24 bits and up to full scale', async () => {
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

test('one, six and eight audio channels keep their order', async () => {
  for (const channels of [1, 6, 8]) {
    const many = createTestSong(10_000, 48000, channels);
    const encoder = await createFlacEncoder({ sampleRate: 48000, channels, bitDepth: 16 });
    assert.deepEqual((await decodeFile(await encodeFile(encoder, many))).samples, rounded(many, 16));
  }
});

test('a flipped bit costs one frame, which becomes silence, and everything else stays in time', async () => {
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

test('a flipped bit in a frame header costs that frame and not its neighbours', async () => {
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

test('a truncated FLAC gives its whole frames and counts what is missing', async () => {
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

test('an ID3v1 tag behind the last frame is no damage', async () => {
  const tag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 0x41)]);
  const { samples, warnings } = await decodeFile(Buffer.concat([file, tag]));
  assert.deepEqual(samples, wanted);
  assert.deepEqual(warnings, []);
});

test('metadata blocks between header and sound are stepped over', async () => {
  const head = file.slice(0, 42);
  head[4] = 0;
  const padding = Buffer.concat([Buffer.from([0x81, 1, 0, 0]), Buffer.alloc(65536, 0xff)]);
  assert.deepEqual((await decodeFile(Buffer.concat([head, padding, file.subarray(42)]))).samples, wanted);
});

test('a FLAC without a whole header or a whole frame says so', async () => {
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
