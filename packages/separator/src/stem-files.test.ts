import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { StemBitDepth } from '@stem-studio/contract/separator';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import { bytesPerSample, type StemBlock } from './stem-encoder.ts';
import { StemFiles } from './stem-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'stem-files-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const names = ['vocals', 'other'];

const headBytes = (depth: StemBitDepth): number =>
  createWavHeader({ sampleRate: 44_100, channels: 2, bitDepth: depth }, 0, true).length;

/** One estimate that is constant, and a mixture of 0: the residual is its negative. */
function block(level: number, frames: number): StemBlock {
  const constant = (value: number): Float32Array => new Float32Array(frames).fill(value);
  return {
    frames,
    mixture: [constant(0), constant(0)],
    estimates: [[constant(level), constant(level)]],
  };
}

/** A mixture that rises from −0.5 to 0.5. */
function ramps(frames: number): [Float32Array, Float32Array] {
  const side = Float32Array.from({ length: frames }, (_, i) => i / (frames - 1) - 0.5);
  return [side, side];
}

/** The samples of a stem file as numbers, 1 is full scale. */
function samplesOf(path: string, depth: StemBitDepth): Float32Array {
  const data = readFileSync(path).subarray(headBytes(depth));
  const bytes = bytesPerSample[depth];
  const scale = 2 ** (8 * bytes - 1);
  return Float32Array.from({ length: data.length / bytes }, (_, i) =>
    depth === '32f' ? data.readFloatLE(4 * i) : data.readIntLE(i * bytes, bytes) / scale,
  );
}

test('stems get their names when all are complete, with their length in the header', () => {
  const output = join(folder, 'whole');
  const files = new StemFiles(output, names, 44_100, '16');
  files.write(block(0.5, 100));
  assert.deepEqual(
    readdirSync(output).filter((file) => file.endsWith('.wav')),
    [],
  );
  files.write(block(0.25, 50));
  const written = files.finish();
  assert.deepEqual(readdirSync(output).sort(), ['other.wav', 'vocals.wav']);
  assert.equal(written.frames, 150);
  assert.deepEqual(written.peaks, { vocals: 0.5, other: 0.5 });
  const bytes = readFileSync(join(output, 'vocals.wav'));
  const head = headBytes('16');
  assert.equal(bytes.length, head + 150 * 4);
  assert.equal(bytes.readUInt32LE(4), bytes.length - 8);
  assert.equal(bytes.toString('latin1', head - 8, head - 4), 'data');
  assert.equal(bytes.readUInt32LE(head - 4), 150 * 4);
  assert.equal(bytes.readInt16LE(head), 16_384);
  assert.equal(bytes.readInt16LE(bytes.length - 2), 8192);
});

test('when a stem exceeds full scale all become 32f, and earlier samples keep their values', () => {
  const output = join(folder, 'wide');
  const files = new StemFiles(output, names, 44_100, '16');
  files.write(block(0.5, 100));
  files.write(block(1.5, 100));
  const written = files.finish();
  assert.equal(written.bitDepth, '32f');
  for (const [name, sign] of [
    ['vocals', 1],
    ['other', -1],
  ] as const) {
    const bytes = readFileSync(join(output, `${name}.wav`));
    const head = headBytes('32f');
    assert.equal(bytes.readUInt16LE(bytes.indexOf('fmt ', 0, 'latin1') + 8), 3);
    assert.equal(bytes.length, head + 200 * 8);
    assert.equal(bytes.readFloatLE(head), 0.5 * sign);
    assert.equal(bytes.readFloatLE(bytes.length - 4), 1.5 * sign);
  }
});

for (const depth of ['16', '24', '32f'] as const) {
  test(`a ${depth} stem that is folded is silent, and its audio is in the residual`, () => {
    const output = join(folder, `folded-${depth}`);
    const files = new StemFiles(output, ['guitar', 'other'], 44_100, depth);
    // Longer than what is folded at a time.
    for (let i = 0; i < 3; i++) files.write({ ...block(0.25, 90_000), mixture: ramps(90_000) });
    const before = samplesOf(join(output, '.unfinished-stems', 'other'), depth);
    files.foldIntoResidual('guitar');
    const { peaks, bitDepth } = files.finish();
    assert.equal(bitDepth, depth);
    assert.equal(peaks['guitar'], 0);
    assert.ok(Math.abs((peaks['other'] as number) - 0.5) < 1e-4);
    assert.ok(samplesOf(join(output, 'guitar.wav'), depth).every((value) => value === 0));
    const after = samplesOf(join(output, 'other.wav'), depth);
    assert.ok(after.every((value, i) => value === Math.fround((before[i] as number) + 0.25)));
  });
}

test('a residual that exceeds full scale after folding makes all stems 32f', () => {
  const output = join(folder, 'folded-wide');
  const files = new StemFiles(output, ['guitar', 'vocals', 'other'], 44_100, '16');
  const half = (level: number): [Float32Array, Float32Array] => [
    new Float32Array(200_000).fill(level),
    new Float32Array(200_000).fill(level),
  ];
  files.write({ frames: 200_000, mixture: half(0.5), estimates: [half(0.75), half(-0.75)] });
  files.foldIntoResidual('guitar');
  const { bitDepth, peaks } = files.finish();
  assert.equal(bitDepth, '32f');
  assert.deepEqual(peaks, { guitar: 0, vocals: 0.75, other: 1.25 });
  assert.ok(samplesOf(join(output, 'guitar.wav'), '32f').every((value) => value === 0));
  assert.ok(samplesOf(join(output, 'other.wav'), '32f').every((value) => value === 1.25));
  assert.ok(samplesOf(join(output, 'vocals.wav'), '32f').every((value) => value === -0.75));
});

test('only an estimated stem can be folded into the residual', () => {
  const files = new StemFiles(join(folder, 'not-folded'), names, 44_100, '16');
  for (const name of ['other', 'piano']) {
    assert.throws(() => files.foldIntoResidual(name), new RegExp(`one of vocals \\(got ${name}\\)`));
  }
  files.discard();
});

test('discarded stems leave no file', () => {
  const output = join(folder, 'discarded');
  const files = new StemFiles(output, names, 44_100, '24');
  files.write(block(0.1, 10));
  files.discard();
  assert.deepEqual(readdirSync(output), []);
});
