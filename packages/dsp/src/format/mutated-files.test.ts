import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createTestSong, decodeFile, encodeFile } from '../testing/audio-file.ts';
import { AudioFormatError } from './audio-format-error.ts';
import { createFlacEncoder } from './encode-flac.ts';
import { createMp3Encoder } from './encode-mp3.ts';
import { createWavEncoder } from './encode-wav.ts';

const song = createTestSong(12_000, 44100);
const shape = { sampleRate: 44100, channels: 2 } as const;
const files = {
  WAV: await encodeFile(createWavEncoder({ ...shape, bitDepth: '32f' }), song),
  MP3: await encodeFile(await createMp3Encoder({ ...shape, bitrateKbps: 128 }), song),
  FLAC: await encodeFile(await createFlacEncoder({ ...shape, bitDepth: 16 }), song),
};

/** Bytes overwritten anywhere and, more densely, in the header; a piece cut out; garbage put in; the end cut off. */
const mutation = fc.record({
  anywhere: fc.array(fc.tuple(fc.nat(1 << 20), fc.nat(255)), { maxLength: 30 }),
  header: fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 4 }),
  cut: fc.tuple(fc.nat(1 << 20), fc.nat(3000)),
  garbage: fc.uint8Array({ maxLength: 3000 }),
  keep: fc.double({ min: 0.01, max: 1, noNaN: true }),
  parts: fc.nat(31),
});

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(file: Uint8Array, { anywhere, header, cut, garbage, keep, parts }: Mutation): Uint8Array {
  let bytes = file.slice();
  if ((parts & 1) !== 0) for (const [at, value] of anywhere) bytes[at % bytes.length] = value;
  if ((parts & 2) !== 0) for (const [at, value] of header) bytes[at] = value;
  const [from, length] = [cut[0] % bytes.length, cut[1]];
  if ((parts & 4) !== 0) bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
  if ((parts & 8) !== 0) bytes = Buffer.concat([bytes.subarray(0, from), garbage, bytes.subarray(from)]);
  if ((parts & 16) !== 0) bytes = bytes.subarray(0, Math.ceil(bytes.length * keep));
  return bytes;
}

for (const [name, file] of Object.entries(files)) {
  test(`a mutated ${name} gives finite samples in bounded number or a clear error, never a crash`, async () => {
    await fc.assert(
      fc.asyncProperty(mutation, async (change) => {
        try {
          const { samples, info } = await decodeFile(mutate(file, change), { maxDurationSeconds: 120 });
          assert.equal(samples.length, info.channels);
          assert.ok(
            samples.every((part) => part.length === samples[0]?.length && part.every(Number.isFinite)),
          );
        } catch (error) {
          assert.ok(error instanceof AudioFormatError, String(error));
          assert.match(error.message, /must/);
        }
      }),
      { numRuns: 250, seed: 20_261_121 },
    );
  });
}
