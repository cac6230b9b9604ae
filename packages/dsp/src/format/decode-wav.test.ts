import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestSong, decodeFile, encodeFile } from '../testing/audio-file.ts';
import { createWavEncoder } from './encode-wav.ts';

const text = (value: string) => Buffer.from(value, 'latin1');
const u16 = (...values: number[]) => Buffer.from(new Uint16Array(values).buffer);
const u32 = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer);
const chunk = (id: string, body: Uint8Array, size = body.length) =>
  Buffer.concat([text(id), u32(size), body, Buffer.alloc(body.length % 2)]);
const wav = (...chunks: Uint8Array[]) => {
  const body = Buffer.concat(chunks);
  return Buffer.concat([text('RIFF'), u32(body.length + 4), text('WAVE'), body]);
};
const format = (tag: number, channels: number, rate: number, bits: number, extension = Buffer.alloc(0)) => {
  const frameBytes = (channels * bits) / 8;
  const head = [u16(tag, channels), u32(rate, rate * frameBytes), u16(frameBytes, bits), extension];
  return chunk('fmt ', Buffer.concat(head));
};
const first = async (file: Uint8Array) => [...((await decodeFile(file)).samples[0] ?? [])];

test('PCM of 8, 16, 24 and 32 bits becomes n / 2^(bits−1)', async () => {
  assert.deepEqual(
    await first(wav(format(1, 1, 8000, 8), chunk('data', Uint8Array.of(0, 128, 192)))),
    [-1, 0, 0.5],
  );
  const sixteen = Buffer.from(new Int16Array([-32768, 16384, 1]).buffer);
  assert.deepEqual(await first(wav(format(1, 1, 8000, 16), chunk('data', sixteen))), [-1, 0.5, 1 / 32768]);
  const twentyFour = Uint8Array.of(0, 0, 0x80, 0, 0, 0x40, 1, 0, 0, 0xff, 0xff, 0xff);
  const steps = [-1, 0.5, 2 ** -23, -(2 ** -23)];
  assert.deepEqual(await first(wav(format(1, 1, 8000, 24), chunk('data', twentyFour))), steps);
  const thirtyTwo = Buffer.from(new Int32Array([-(2 ** 31), 2 ** 30]).buffer);
  assert.deepEqual(await first(wav(format(1, 1, 8000, 32), chunk('data', thirtyTwo))), [-1, 0.5]);
});

test('float of 32 and 64 bits is taken as it is, beyond full scale too', async () => {
  const single = Buffer.from(new Float32Array([-1.5, 0.25]).buffer);
  assert.deepEqual(await first(wav(format(3, 1, 8000, 32), chunk('data', single))), [-1.5, 0.25]);
  const double = Buffer.from(new Float64Array([-1.5, 0.25]).buffer);
  assert.deepEqual(await first(wav(format(3, 1, 8000, 64), chunk('data', double))), [-1.5, 0.25]);
});

test('an extensible format names its sample format in the subformat', async () => {
  const extension = Buffer.concat([u16(22, 32), u32(3), u16(3), Buffer.alloc(14)]);
  const data = chunk('data', Buffer.from(new Float32Array([0.5, -0.5]).buffer));
  const { samples, info } = await decodeFile(wav(format(0xfffe, 2, 44100, 32, extension), data));
  assert.deepEqual(samples, [Float32Array.of(0.5), Float32Array.of(-0.5)]);
  assert.equal(info.bits_per_sample, 32);
});

test('unknown chunks of odd length before the sound, and any behind it, are stepped over', async () => {
  const data = chunk('data', Buffer.from(new Int16Array([16384]).buffer));
  const file = wav(
    chunk('LIST', text('abc')),
    format(1, 1, 8000, 16),
    chunk('cue ', text('x')),
    data,
    chunk('LIST', text('end!')),
  );
  assert.deepEqual(await first(file), [0.5]);
});

test('a data chunk that claims more than the file holds gives what is there and says so', async () => {
  const samples = Buffer.from(new Int16Array([16384, 8192]).buffer);
  const decoded = await decodeFile(wav(format(1, 1, 8000, 16), chunk('data', samples, 0xfffffff0)));
  assert.deepEqual(decoded.samples[0], Float32Array.of(0.5, 0.25));
  assert.equal(decoded.info.declared_frames, 0x7ffffff8);
  assert.deepEqual(
    decoded.warnings.map(({ code, count }) => [code, count]),
    [['truncated', 0x7ffffff8 - 2]],
  );
});

test('a data chunk of unknown length runs to the end of the file without complaint', async () => {
  const samples = Buffer.from(new Int16Array([16384, 8192, 4, 5, 6, 7]).buffer);
  for (const size of [0xffffffff, 0]) {
    const decoded = await decodeFile(wav(format(1, 1, 8000, 16), chunk('data', samples, size)));
    assert.equal(decoded.samples[0]?.length, 6, `size ${size}`);
    assert.equal(decoded.info.declared_frames, null);
    assert.deepEqual(decoded.warnings, []);
  }
});

test('an RF64 file takes its length from the ds64 chunk', async () => {
  const ds64 = chunk('ds64', Buffer.concat([u32(0, 0, 4, 0, 2, 0, 0)]));
  const data = chunk('data', Buffer.from(new Int16Array([16384, 8192]).buffer), 0xffffffff);
  const body = Buffer.concat([ds64, format(1, 1, 8000, 16), data, chunk('LIST', text('more'))]);
  const decoded = await decodeFile(Buffer.concat([text('RF64'), u32(0xffffffff), text('WAVE'), body]));
  assert.deepEqual(decoded.samples[0], Float32Array.of(0.5, 0.25));
});

test('samples that are no number become silence and are counted', async () => {
  const samples = Buffer.from(new Float32Array([Number.NaN, 0.5, Number.POSITIVE_INFINITY, -1e30]).buffer);
  const decoded = await decodeFile(wav(format(3, 1, 8000, 32), chunk('data', samples)));
  assert.deepEqual(decoded.samples[0], Float32Array.of(0, 0.5, 0, 0));
  assert.deepEqual(
    decoded.warnings.map(({ code, count }) => [code, count]),
    [['invalid_samples', 3]],
  );
});

test('headers that cannot be true are refused with the rule and the value got', async () => {
  const data = chunk('data', Buffer.alloc(600));
  const cases: [Buffer, string, RegExp][] = [
    [wav(format(1, 2, 0, 16), data), 'malformed', /sample rate must be .*got 0\)/],
    [wav(format(1, 0, 44100, 16), data), 'malformed', /1 to 8 audio channels \(got 0\)/],
    [wav(format(1, 300, 44100, 16), data), 'malformed', /1 to 8 audio channels \(got 300\)/],
    [wav(format(2, 2, 44100, 16), data), 'unsupported_format', /PCM .*got format 2\)/],
    [wav(format(1, 1, 44100, 0), data), 'unsupported_format', /got 0\)/],
    [wav(data), 'malformed', /fmt chunk/],
    [wav(format(1, 1, 44100, 16)), 'truncated', /data chunk/],
    [wav(format(1, 2, 44100, 16), chunk('data', Buffer.alloc(0))), 'no_samples', /at least one sample/],
  ];
  for (const [file, code, message] of cases) {
    await assert.rejects(decodeFile(file), { name: 'AudioFormatError', code, message });
  }
});

test('a file decodes the same whatever the size of its chunks', async () => {
  const song = createTestSong(3000, 44100);
  const file = await encodeFile(createWavEncoder({ sampleRate: 44100, channels: 2, bitDepth: '32f' }), song);
  for (const chunkBytes of [1, 7, 100_000]) {
    assert.deepEqual((await decodeFile(file, {}, chunkBytes)).samples, song);
  }
});
