import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { aiffFile } from '../testing/aiff-file.ts';
import { createTestSong, decodeFile, encodeFile } from '../testing/audio-file.ts';
import { mutateFile, mutations } from '../testing/mutate-file.ts';
import { opusSong, vorbisSong } from '../testing/ogg-songs.ts';
import { AudioFormatError } from './audio-format-error.ts';
import { createFlacEncoder } from './encode-flac.ts';
import { createMp3Encoder } from './encode-mp3.ts';
import { createWavEncoder } from './encode-wav.ts';

const song = createTestSong(12_000, 44100);
const shape = { sampleRate: 44100, channels: 2 } as const;
const files = {
  WAV: await encodeFile(createWavEncoder({ ...shape, bitDepth: '32f' }), song),
  AIFF: aiffFile(song),
  MP3: await encodeFile(await createMp3Encoder({ ...shape, bitrateKbps: 128 }), song),
  FLAC: await encodeFile(await createFlacEncoder({ ...shape, bitDepth: 16 }), song),
  'Ogg Vorbis': vorbisSong(),
  'Ogg Opus': opusSong(),
};

for (const [name, file] of Object.entries(files)) {
  test(`decodes a mutated ${name} to a bounded number of finite samples or throws a clear error`, async () => {
    await fc.assert(
      fc.asyncProperty(mutations, async (change) => {
        try {
          const { samples, info } = await decodeFile(mutateFile(file, change), { maxDurationSeconds: 120 });
          assert.equal(samples.length, info.channels);
          assert.ok(
            samples.every((part) => part.length === samples[0]?.length && part.every(Number.isFinite)),
          );
        } catch (error) {
          assert.ok(error instanceof AudioFormatError, String(error));
          assert.match(error.message, /must/);
        }
      }),
      { numRuns: 300, seed: 20_261_121 },
    );
  });
}

test('handles an Opus file whose packets corrupt the memory of its decoder', async () => {
  // Found by bench/fuzz-decoders: the 518th file of its sequence.
  const change = fc.sample(mutations, { numRuns: 518, seed: 20_261_121 }).at(-1);
  assert.ok(change);
  await decodeFile(mutateFile(files['Ogg Opus'], change)).catch((error: unknown) => {
    assert.ok(error instanceof AudioFormatError, String(error));
  });
});
