import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import {
  createTestSong,
  decodeFile,
  encodeFile,
  joinSamples,
  toChunks,
} from '@stem-studio/dsp/testing/audio-file';
import { ChunkPacker } from '@stem-studio/renderer/sources/chunk-packer';
import { StemMixer } from '@stem-studio/renderer/stem-mixer/stem-mixer';

const RATE_HZ = 44_100;
const FRAMES = 3 * RATE_HZ;

const stemFile = (frames: number, channels: number) =>
  encodeFile(
    createWavEncoder({ sampleRate: RATE_HZ, channels, bitDepth: '16' }),
    createTestSong(frames, RATE_HZ, channels).map((samples) => samples.map((sample) => 0.5 * sample)),
  );

/** Creates a stem mixer with stems decoded from files, as a server export does. */
async function loadMixer(files: readonly Uint8Array[]): Promise<StemMixer> {
  const mixer = new StemMixer(RATE_HZ);
  const loaded: { stem: number; index: number; samples: Int16Array<ArrayBuffer> }[] = [];
  const shapes: { frames: number; channels: number }[] = [];
  for (const [stem, file] of files.entries()) {
    const source = await openAudio(toChunks(file));
    const packer = new ChunkPacker(source.info.channels, 0, () => true);
    let frames = 0;
    const keep = ({ index, samples }: { index: number; samples: Int16Array<ArrayBuffer> | null }) => {
      if (samples) loaded.push({ stem, index, samples });
    };
    for await (const block of source.blocks) {
      frames += block[0]?.length ?? 0;
      for (const chunk of packer.add(block)) keep(chunk);
    }
    keep(packer.finish());
    await source.close();
    shapes.push({ frames, channels: packer.channels });
  }
  mixer.apply({ type: 'setup', sampleRateHz: RATE_HZ, stems: shapes });
  for (const chunk of loaded) mixer.apply({ type: 'chunk', ...chunk });
  return mixer;
}

/** Renders the whole song in blocks of `block` frames. */
function renderSong(mixer: StemMixer, block: number): Float32Array[] {
  const parts: [Float32Array[], Float32Array[]] = [[], []];
  mixer.apply({ type: 'play', id: 1 });
  while (mixer.transport === 'playing') {
    const [left, right] = [new Float32Array(block), new Float32Array(block)];
    mixer.process(left, right, block);
    parts[0].push(left);
    parts[1].push(right);
  }
  return parts.map(joinSamples);
}

test('the server renders a stem mix with changed tempo and key identically for every block size', async () => {
  const files = [await stemFile(FRAMES, 2), await stemFile(FRAMES, 1)];
  const render = async (block: number) => {
    const mixer = await loadMixer(files);
    mixer.apply({ type: 'tempo', rate: 0.9, semitones: 1, isKeyLocked: true });
    mixer.apply({ type: 'gains', gains: [0.8, 1.2] });
    return renderSong(mixer, block);
  };
  const [left = new Float32Array(0)] = await render(128);
  assert.ok(Math.abs(left.length - FRAMES / 0.9) <= 128, `${left.length} frames`);
  assert.ok(left.some((sample) => Math.abs(sample) > 0.1));
  const [larger = new Float32Array(0)] = await render(8_192);
  assert.equal(
    left.findIndex((sample, n) => sample !== larger[n]),
    -1,
  );
});

test('at the recorded tempo and key the server renders the exact sum of the stems', async () => {
  const files = [await stemFile(FRAMES, 2), await stemFile(FRAMES, 2)];
  const mixer = await loadMixer(files);
  const rendered = renderSong(mixer, 4_096);
  const stems = await Promise.all(files.map((file) => decodeFile(file)));
  for (const [side, samples] of rendered.entries()) {
    // The first 5 ms fade in.
    for (let n = 221; n < FRAMES - mixer.delayFrames; n++) {
      const sum = stems.reduce((total, stem) => total + (stem.samples[side]?.[n] ?? 0), 0);
      assert.equal(samples[n + mixer.delayFrames], sum, `sample ${n}`);
    }
  }
});
