import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFile } from '../testing/audio-file.ts';

const text = (value: string) => Buffer.from(value, 'latin1');
const chunk = (id: string, body: Uint8Array, size = body.length) => {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32BE(size, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
};
const aiff = (form: 'AIFF' | 'AIFC', ...chunks: Uint8Array[]) =>
  chunk('FORM', Buffer.concat([text(form), ...chunks]));
/** Encodes an integer number of Hz as an 80-bit float. */
const extended = (value: number) => {
  const bytes = Buffer.alloc(10);
  const exponent = value === 0 ? -16_383 : Math.floor(Math.log2(value));
  bytes.writeUInt16BE(exponent + 16_383);
  bytes.writeBigUInt64BE(value === 0 ? 0n : BigInt(value) << BigInt(63 - exponent), 2);
  return bytes;
};
const common = (frames: number, bits: number, name = '', rate = 44_100, channels = 1) => {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(channels);
  head.writeUInt32BE(frames, 2);
  head.writeUInt16BE(bits, 6);
  return chunk('COMM', Buffer.concat([head, extended(rate), text(name), text(name === '' ? '' : '\0\0')]));
};
const ssnd = (bytes: Uint8Array | readonly number[], offset = 0) => {
  const head = Buffer.alloc(8 + offset, 0xee);
  head.writeUInt32BE(offset);
  return chunk('SSND', Buffer.concat([head, Uint8Array.from(bytes)]));
};
const floats = (width: 4 | 8, ...values: number[]) => {
  const bytes = Buffer.alloc(width * values.length);
  for (const [index, value] of values.entries())
    if (width === 4) bytes.writeFloatBE(value, index * 4);
    else bytes.writeDoubleBE(value, index * 8);
  return bytes;
};

test('decodes every width and byte order of AIFF and AIFC', async () => {
  const table: [name: string, bits: number, bytes: Uint8Array | number[], wanted: number[]][] = [
    ['', 8, [0x80, 0x40, 0xff], [-1, 0.5, -1 / 128]],
    ['', 12, [0x80, 0, 0x40, 0, 0xff, 0xf0], [-1, 0.5, -1 / 2048]],
    ['', 16, [0x80, 0, 0x40, 0, 0, 1], [-1, 0.5, 1 / 32_768]],
    ['', 20, [0x80, 0, 0, 0, 0, 0x10], [-1, 2 ** -19]],
    ['', 24, [0x80, 0, 0, 0x40, 0, 0, 0, 0, 1], [-1, 0.5, 2 ** -23]],
    ['', 32, [0x80, 0, 0, 0, 0x40, 0, 0, 0], [-1, 0.5]],
    ['NONE', 16, [0x40, 0], [0.5]],
    ['twos', 16, [0x40, 0], [0.5]],
    ['sowt', 16, [0, 0x40, 0, 0x80, 1, 0], [0.5, -1, 1 / 32_768]],
    ['sowt', 24, [1, 0, 0x40], [0.5 + 2 ** -23]],
    ['raw ', 8, [0, 0x80, 0xc0], [-1, 0, 0.5]],
    ['in24', 16, [0x40, 0, 0], [0.5]],
    ['in32', 16, [0x40, 0, 0, 0], [0.5]],
    ['42ni', 16, [0, 0, 0x40], [0.5]],
    ['23ni', 16, [0, 0, 0, 0x40], [0.5]],
    ['fl32', 32, floats(4, 0.25, -1.5), [0.25, -1.5]],
    ['FL32', 32, floats(4, 0.25), [0.25]],
    ['fl64', 64, floats(8, 0.25, -1.5), [0.25, -1.5]],
  ];
  for (const [name, bits, bytes, wanted] of table) {
    const file = aiff(name === '' ? 'AIFF' : 'AIFC', common(wanted.length, bits, name), ssnd(bytes));
    const { samples, info, warnings } = await decodeFile(file);
    assert.deepEqual([...(samples[0] ?? [])], wanted, `${name} ${bits}`);
    assert.equal(info.codec, 'aiff');
    assert.equal(info.declared_frames, wanted.length);
    assert.deepEqual(warnings, []);
  }
});

test('decodes AIFF of any rate and number of audio channels, past other chunks and an offset', async () => {
  for (const rate of [1000, 8000, 22_050, 96_000, 768_000]) {
    for (const channels of [1, 2, 6, 8]) {
      const bytes = Array.from({ length: channels * 2 }, (_, index) => index);
      const file = aiff('AIFF', chunk('NAME', text('odd')), common(2, 8, '', rate, channels), ssnd(bytes, 3));
      const { samples, info } = await decodeFile(file);
      assert.deepEqual([info.sample_rate, info.channels], [rate, channels]);
      assert.deepEqual(
        samples.map((part) => [...part]),
        Array.from({ length: channels }, (_, index) => [index / 128, (index + channels) / 128]),
      );
    }
  }
});

test('decodes a truncated AIFF to its end and ignores data after the audio', async () => {
  const cut = await decodeFile(aiff('AIFF', common(5, 16), ssnd([0x40, 0, 0x20, 0])));
  assert.deepEqual([...(cut.samples[0] ?? [])], [0.5, 0.25]);
  assert.deepEqual(
    cut.warnings.map(({ code, count }) => [code, count]),
    [['truncated', 3]],
  );
  const tagged = await decodeFile(aiff('AIFF', common(1, 16), ssnd([0x40, 0]), chunk('ID3 ', text('tags'))));
  assert.equal(tagged.samples[0]?.length, 1);
});

test('rejects invalid AIFF headers with the rule and the value', async () => {
  const data = ssnd(Buffer.alloc(64));
  const refused: [Uint8Array, string, RegExp][] = [
    [aiff('AIFF', common(4, 16, '', 0), data), 'malformed', /sample rate must be .*got 0\)/],
    [aiff('AIFF', common(4, 16, '', 44_100, 0), data), 'malformed', /1 to 8 audio channels \(got 0\)/],
    [aiff('AIFF', common(4, 0), data), 'unsupported_format', /1 to 32 bits \(got 0\)/],
    [aiff('AIFC', common(4, 16, 'ima4'), data), 'unsupported_format', /got ima4\)/],
    [aiff('AIFF', data, common(4, 16)), 'malformed', /COMM chunk must stand before/],
    [aiff('AIFF', chunk('COMM', Buffer.alloc(10)), data), 'malformed', /18 bytes or more \(got 10\)/],
    [aiff('AIFF', common(4, 16)), 'truncated', /SSND chunk/],
    [aiff('AIFF', common(0, 16), ssnd([])), 'no_samples', /at least one sample/],
    [aiff('AIFF', common(4, 16), ssnd([])), 'truncated', /SSND chunk must hold 8 bytes/],
  ];
  for (const [file, code, message] of refused)
    await assert.rejects(decodeFile(file), { name: 'AudioFormatError', code, message });
});
