import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import type { StemBlock } from './stem-encoder.ts';
import { StemFiles } from './stem-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'stem-files-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const names = ['vocals', 'other'];

const headBytes = (depth: '16' | '32f'): number =>
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

test('stems have their names only once all are whole, and a header that tells their length', () => {
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

test('when a stem exceeds full scale all become 32f, and what was written before keeps its values', () => {
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

test('discarded stems leave nothing', () => {
  const output = join(folder, 'discarded');
  const files = new StemFiles(output, names, 44_100, '24');
  files.write(block(0.1, 10));
  files.discard();
  assert.deepEqual(readdirSync(output), []);
});
