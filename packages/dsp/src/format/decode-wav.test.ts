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

/** Creates an extensible format: containers of `bits`, of which `validBits` contain audio. */
const extensible = (tag: number, channels: number, rate: number, bits: number, validBits: number) =>
  format(
    0xfffe,
    channels,
    rate,
    bits,
    Buffer.concat([u16(22, validBits), u32(3), u16(tag), Buffer.alloc(14)]),
  );
/** Creates a plain format whose samples occupy `bytes` bytes each, more than their bits need. */
const padded = (bits: number, bytes: number) =>
  chunk('fmt ', Buffer.concat([u16(1, 1), u32(8000, 8000 * bytes), u16(bytes, bits)]));

test('decodes every width of PCM and float, with the bits at the top of the bytes', async () => {
  const float = Buffer.from(new Float32Array([-1.5, 0.25]).buffer);
  const double = Buffer.from(new Float64Array([-1.5, 0.25]).buffer);
  const eight = [0, 128, 192];
  const sixteen = [0, 0x80, 0, 0x40, 1, 0];
  const twentyFour = [0, 0, 0x80, 0, 0, 0x40, 1, 0, 0, 0xff, 0xff, 0xff];
  const thirtyTwo = [0, 0, 0, 0x80, 0, 0, 0, 0x40];
  const table: [what: string, format: Buffer, data: Uint8Array | number[], bits: number, wanted: number[]][] =
    [
      ['8 bits', format(1, 1, 8000, 8), eight, 8, [-1, 0, 0.5]],
      ['16 bits', format(1, 1, 8000, 16), sixteen, 16, [-1, 0.5, 2 ** -15]],
      ['24 bits', format(1, 1, 8000, 24), twentyFour, 24, [-1, 0.5, 2 ** -23, -(2 ** -23)]],
      ['32 bits', format(1, 1, 8000, 32), thirtyTwo, 32, [-1, 0.5]],
      ['float of 32 bits', format(3, 1, 8000, 32), float, 32, [-1.5, 0.25]],
      ['float of 64 bits', format(3, 1, 8000, 64), double, 64, [-1.5, 0.25]],
      ['12 bits in 2 bytes', padded(12, 2), [0x10, 0, 0, 0x40], 12, [2 ** -11, 0.5]],
      ['20 bits in 3 bytes', padded(20, 3), [0x10, 0, 0, 0, 0, 0xc0], 20, [2 ** -19, -0.5]],
      ['20 bits in 4 bytes', padded(20, 4), [0, 0x10, 0, 0, 0, 0, 0, 0xc0], 20, [2 ** -19, -0.5]],
      ['24 bits in 4 bytes', padded(24, 4), [0, 1, 0, 0, 0, 0, 0, 0x80], 24, [2 ** -23, -1]],
      ['extensible 8', extensible(1, 1, 8000, 8, 8), eight, 8, [-1, 0, 0.5]],
      ['extensible 16', extensible(1, 1, 8000, 16, 16), sixteen, 16, [-1, 0.5, 2 ** -15]],
      ['extensible 12 of 16', extensible(1, 1, 8000, 16, 12), [0x10, 0], 12, [2 ** -11]],
      ['extensible 20 of 24', extensible(1, 1, 8000, 24, 20), [0x10, 0, 0], 20, [2 ** -19]],
      ['extensible 24 of 32', extensible(1, 1, 8000, 32, 24), [0, 1, 0, 0], 24, [2 ** -23]],
      ['extensible 32', extensible(1, 1, 8000, 32, 32), thirtyTwo, 32, [-1, 0.5]],
      ['extensible float 32', extensible(3, 1, 8000, 32, 32), float, 32, [-1.5, 0.25]],
      ['extensible float 64', extensible(3, 1, 8000, 64, 64), double, 64, [-1.5, 0.25]],
      ['extensible, valid bits not given', extensible(1, 1, 8000, 16, 0), sixteen, 16, [-1, 0.5, 2 ** -15]],
    ];
  for (const [what, head, data, bits, wanted] of table) {
    const { samples, info, warnings } = await decodeFile(wav(head, chunk('data', Uint8Array.from(data))));
    assert.deepEqual([...(samples[0] ?? [])], wanted, what);
    assert.equal(info.bits_per_sample, bits, what);
    assert.deepEqual(warnings, [], what);
  }
});

test('decodes every rate of 1 to 768 kHz and one to eight audio channels in their order', async () => {
  for (const rate of [
    1000, 8000, 11_025, 22_050, 37_800, 44_100, 48_000, 96_000, 192_000, 384_000, 768_000,
  ]) {
    for (let channels = 1; channels <= 8; channels++) {
      const data = Uint8Array.from({ length: channels * 3 * 2 }, (_, at) =>
        at % 3 === 2 ? (at + 1) / 3 : 0,
      );
      for (const head of [format(1, channels, rate, 24), extensible(1, channels, rate, 24, 24)]) {
        const { samples, info } = await decodeFile(wav(head, chunk('data', data)));
        assert.deepEqual([info.sample_rate, info.channels], [rate, channels]);
        const wanted = Array.from({ length: channels }, (_, index) => [
          (index + 1) / 128,
          (index + 1 + channels) / 128,
        ]);
        assert.deepEqual(
          samples.map((part) => [...part]),
          wanted,
        );
      }
    }
  }
});

test('skips unknown chunks of odd length before the audio, and any after it', async () => {
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

test('decodes a data chunk that declares more than the file contains and reports it', async () => {
  const samples = Buffer.from(new Int16Array([16384, 8192]).buffer);
  const decoded = await decodeFile(wav(format(1, 1, 8000, 16), chunk('data', samples, 0xfffffff0)));
  assert.deepEqual(decoded.samples[0], Float32Array.of(0.5, 0.25));
  assert.equal(decoded.info.declared_frames, 0x7ffffff8);
  assert.deepEqual(
    decoded.warnings.map(({ code, count }) => [code, count]),
    [['truncated', 0x7ffffff8 - 2]],
  );
});

test('reads a data chunk of unknown length to the end of the file without a warning', async () => {
  const samples = Buffer.from(new Int16Array([16384, 8192, 4, 5, 6, 7]).buffer);
  for (const size of [0xffffffff, 0]) {
    const decoded = await decodeFile(wav(format(1, 1, 8000, 16), chunk('data', samples, size)));
    assert.equal(decoded.samples[0]?.length, 6, `size ${size}`);
    assert.equal(decoded.info.declared_frames, null);
    assert.deepEqual(decoded.warnings, []);
  }
});

test('takes the length of an RF64 file from the ds64 chunk', async () => {
  const ds64 = chunk('ds64', Buffer.concat([u32(0, 0, 4, 0, 2, 0, 0)]));
  const data = chunk('data', Buffer.from(new Int16Array([16384, 8192]).buffer), 0xffffffff);
  const body = Buffer.concat([ds64, format(1, 1, 8000, 16), data, chunk('LIST', text('more'))]);
  const decoded = await decodeFile(Buffer.concat([text('RF64'), u32(0xffffffff), text('WAVE'), body]));
  assert.deepEqual(decoded.samples[0], Float32Array.of(0.5, 0.25));
});

test('replaces samples that are not numbers by silence and counts them', async () => {
  const samples = Buffer.from(new Float32Array([Number.NaN, 0.5, Number.POSITIVE_INFINITY, -1e30]).buffer);
  const decoded = await decodeFile(wav(format(3, 1, 8000, 32), chunk('data', samples)));
  assert.deepEqual(decoded.samples[0], Float32Array.of(0, 0.5, 0, 0));
  assert.deepEqual(
    decoded.warnings.map(({ code, count }) => [code, count]),
    [['invalid_samples', 3]],
  );
});

test('rejects invalid headers with the rule and the value', async () => {
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

test('decodes a file identically for any chunk size', async () => {
  const song = createTestSong(3000, 44100);
  const file = await encodeFile(createWavEncoder({ sampleRate: 44100, channels: 2, bitDepth: '32f' }), song);
  for (const chunkBytes of [1, 7, 100_000]) {
    assert.deepEqual((await decodeFile(file, {}, chunkBytes)).samples, song);
  }
});
