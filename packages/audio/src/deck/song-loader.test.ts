import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { createTestSong, decodeFile, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { CHUNK_FRAMES, chunkCount } from '@stem-studio/renderer/sources/chunk';
import { near } from '@stem-studio/renderer/testing/near';
import { serveAudio } from '../testing/audio-server.ts';
import { openSameThreadDecoder } from '../testing/same-thread-decoder.ts';
import type { SongDecoderCommand, SongDecoderEvent } from './song-decoder-messages.ts';
import { SongLoader } from './song-loader.ts';

const RATE_HZ = 44_100;
const BYTES_PER_CHUNK = CHUNK_FRAMES * 4;

/** Loads a file from a server, and keeps the chunks that an engine would keep. */
async function load(file: Uint8Array, durationMs: number, memoryBytes = 1e9) {
  const server = await serveAudio({ song: file });
  const chunks = new Map<number, Int16Array>();
  const order: number[] = [];
  const failures: unknown[] = [];
  let most = 0;
  const events = {
    arrived(_: number, chunk: number, samples: ArrayLike<number>) {
      chunks.set(chunk, samples as Int16Array);
      order.push(chunk);
      most = Math.max(most, chunks.size);
    },
    dropped: (_: number, chunk: number) => chunks.delete(chunk),
    failed: (error: unknown) => failures.push(error),
  };
  const source = { address: server.address('song'), codec: 'flac', durationMs };
  const loader = new SongLoader(openSameThreadDecoder(), source, events, memoryBytes);
  return {
    loader,
    chunks,
    order,
    failures,
    server,
    most: () => most,
    /** Waits for a condition; on a timeout fails with what is loaded. */
    until: async (isTrue: () => boolean): Promise<void> => {
      const end = performance.now() + 60_000;
      while (!isTrue()) {
        if (performance.now() > end)
          assert.fail(
            `waited in vain; loaded are chunks ${[...chunks.keys()].join(' ')}; failed: ${failures.join()}`,
          );
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    close: async (): Promise<void> => {
      loader.close();
      await server.close();
    },
  };
}

const frames = 4 * CHUNK_FRAMES + 12_345;
const durationMs = Math.round((frames / RATE_HZ) * 1000);
const song = createTestSong(frames, RATE_HZ);
const codecs = {
  flac: async () => createFlacEncoder({ sampleRate: RATE_HZ, channels: 2, bitDepth: 16 }),
  mp3: async () => createMp3Encoder({ sampleRate: RATE_HZ, channels: 2, bitrateKbps: 192 }),
  wav: async () => createWavEncoder({ sampleRate: RATE_HZ, channels: 2, bitDepth: '16' }),
};

for (const [codec, encoder] of Object.entries(codecs)) {
  test(`decodes a ${codec} to the same samples from which the service makes its stems`, async () => {
    const file = await encodeFile(await encoder(), song);
    const { samples } = await decodeFile(file);
    const { loader, chunks, close, until } = await load(file, durationMs);
    const shape = await loader.shape;
    assert.equal(shape.sampleRateHz, RATE_HZ);
    assert.equal(shape.channels, 2);
    near(shape.frames, samples[0]?.length ?? 0, 1);
    await until(() => loader.loadedRatio === 1);
    let worst = 0;
    for (const [channel, wanted] of samples.entries()) {
      for (let frame = 0; frame < Math.min(wanted.length, shape.frames); frame++) {
        const chunk = chunks.get(frame >> 16);
        const got = (chunk?.[(frame % CHUNK_FRAMES) * 2 + channel] ?? 0) / 32_768;
        worst = Math.max(worst, Math.abs(got - Math.min(1, wanted[frame] ?? 0)));
      }
    }
    assert.ok(worst <= 0.5 / 32_768 + 1e-9, `differs by ${worst * 32_768} steps of 16 bits`);
    await close();
  });
}

test('keeps a window of a song longer than memory around the playhead, and decodes it again on return', async () => {
  const file = await encodeFile(await codecs.flac(), createTestSong(20 * CHUNK_FRAMES, RATE_HZ));
  const long = (20 * CHUNK_FRAMES * 1000) / RATE_HZ;
  const { loader, chunks, order, most, close, until } = await load(file, long, 6 * BYTES_PER_CHUNK);
  await until(() => chunks.size === 6);
  assert.deepEqual([...chunks.keys()], [0, 1, 2, 3, 4, 5]);
  assert.equal(loader.loadedRatio, 6 / 20);

  loader.moveTo(10 * CHUNK_FRAMES, null, true);
  await until(() => chunks.size === 6 && chunks.has(9));
  // The chunks at the playhead come first, those behind it last.
  assert.deepEqual([...chunks.keys()], [10, 11, 12, 13, 14, 9]);

  loader.moveTo(2 * CHUNK_FRAMES, null, true);
  await until(() => chunks.size === 6 && chunks.has(1));
  assert.deepEqual(
    [...chunks.keys()].sort((one, other) => one - other),
    [1, 2, 3, 4, 5, 6],
  );
  assert.equal(most(), 6);
  assert.equal(order.filter((chunk) => chunk === 7).length, 0);
  await close();
});

for (const codec of ['flac', 'mp3'] as const) {
  test(`decodes nothing before the target of a jump in a long ${codec}, and gives the same samples`, async () => {
    const long = createTestSong(60 * CHUNK_FRAMES, RATE_HZ);
    const file = await encodeFile(await codecs[codec](), long);
    const { samples } = await decodeFile(file);
    const longMs = (60 * CHUNK_FRAMES * 1000) / RATE_HZ;
    const { loader, chunks, order, close, server, until } = await load(file, longMs, 10 * BYTES_PER_CHUNK);
    await until(() => chunks.size === 10);
    for (const chunk of [50, 20, 40]) {
      order.length = 0;
      const askedBefore = server.requests.length;
      loader.moveTo(chunk * CHUNK_FRAMES, null, true);
      await until(() => order.length >= 3 && chunks.has(chunk));
      assert.deepEqual(order.slice(0, 3), [chunk, chunk + 1, chunk + 2]);
      assert.ok(
        server.requests
          .slice(askedBefore)
          .some(({ from }) => from > (0.8 * file.length * chunk) / 60 - 400_000),
      );
      const got = chunks.get(chunk) ?? new Int16Array(0);
      for (const [channel, part] of samples.entries()) {
        const wanted = part.subarray(chunk * CHUNK_FRAMES, (chunk + 1) * CHUNK_FRAMES);
        assert.ok(
          wanted.every(
            (sample, at) =>
              Math.abs(Math.min(1, sample) - (got[at * 2 + channel] ?? 0) / 32_768) <= 0.51 / 32_768,
          ),
        );
      }
    }
    await close();
  });
}

test('loads the chunks behind a playhead that moved back after those ahead are loaded', async () => {
  const file = await encodeFile(await codecs.flac(), createTestSong(12 * CHUNK_FRAMES, RATE_HZ));
  const long = (12 * CHUNK_FRAMES * 1000) / RATE_HZ;
  const { loader, chunks, close, until } = await load(file, long, 8 * BYTES_PER_CHUNK);
  loader.moveTo(11 * CHUNK_FRAMES, null, true);
  await until(() => chunks.size === 8);
  loader.moveTo(6 * CHUNK_FRAMES, null, false);
  await until(() => chunks.size === 8 && chunks.has(5));
  assert.deepEqual(
    [...chunks.keys()].sort((one, other) => one - other),
    [4, 5, 6, 7, 8, 9, 10, 11],
  );
  await close();
});

test('loads a chunk that the decoder has just discarded when the playhead moves there', () => {
  const asked: SongDecoderCommand[] = [];
  let emit: (event: SongDecoderEvent) => void = () => {};
  const port = {
    post: (command: SongDecoderCommand) => void asked.push(command),
    onEvent: (listener: typeof emit) => {
      emit = listener;
    },
    dispose() {},
  };
  const source = { address: '', codec: 'mp3', durationMs: 1 };
  const events = { arrived() {}, dropped() {}, failed: assert.fail };
  const loader = new SongLoader(port, source, events, 6 * BYTES_PER_CHUNK);
  const passOf = () => asked.findLast((command) => command.type === 'decode')?.pass ?? 0;
  const pass = passOf();
  emit({ type: 'shape', pass, sampleRateHz: RATE_HZ, channels: 2, frames: 20 * CHUNK_FRAMES });
  loader.moveTo(10 * CHUNK_FRAMES, null, true);
  emit({ type: 'progress', pass, next: 3 });
  // The decoder has begun chunk 3, and does not keep it.
  loader.moveTo(3 * CHUNK_FRAMES, null, true);
  assert.equal(passOf(), pass);
  emit({ type: 'progress', pass, next: 4 });
  assert.notEqual(passOf(), pass);
  const again = asked.at(-1);
  assert.ok(again?.type === 'decode' && again.window.first <= 3 && again.window.last >= 3);
  // Chunks that arrive meanwhile are no reason for a new pass.
  emit({ type: 'progress', pass: again.pass, next: 1 });
  assert.equal(passOf(), again.pass);
  loader.close();
});

test('fills the missing end of a short file with silence', async () => {
  const file = await encodeFile(await codecs.flac(), song);
  const { loader, chunks, close, until } = await load(file.subarray(0, file.length / 2), durationMs);
  await until(() => loader.loadedRatio === 1);
  assert.equal(chunks.size, chunkCount(frames));
  assert.equal(
    chunks.get(4)?.every((sample) => sample === 0),
    true,
  );
  await close();
});

test('more than two audio channels become stereo', async () => {
  const surround = createTestSong(CHUNK_FRAMES, RATE_HZ, 6);
  const encoder = createWavEncoder({ sampleRate: RATE_HZ, channels: 6, bitDepth: '16' });
  const file = await encodeFile(encoder, surround);
  const { loader, close } = await load(file, (CHUNK_FRAMES * 1000) / RATE_HZ);
  assert.equal((await loader.shape).channels, 2);
  await close();
});

test('reports a file that is no song, and one that is missing', async () => {
  const noise = await load(new Uint8Array(5000).fill(7), 1000);
  await assert.rejects(noise.loader.shape, /cannot be played: the file must be WAV, AIFF, MP3/);
  assert.equal(noise.failures.length, 1);
  await noise.close();

  const server = await serveAudio({});
  const source = { address: server.address('gone'), codec: 'mp3', durationMs: 1000 };
  const events = { arrived() {}, dropped() {}, failed() {} };
  const loader = new SongLoader(openSameThreadDecoder(), source, events, 1e9);
  await assert.rejects(loader.shape, /no longer exists/);
  loader.close();
  await server.close();
});

test('sends no event and no request after it is closed', async () => {
  const file = await encodeFile(await codecs.flac(), song);
  const { loader, order, close, server } = await load(file, durationMs);
  await loader.shape;
  await close();
  const sent = order.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(order.length, sent);
  assert.equal(server.requests.length, 1);
});

test('keeps the chunks at pinned positions, and those of a range that was left while there is memory', async () => {
  const file = await encodeFile(await codecs.flac(), createTestSong(30 * CHUNK_FRAMES, RATE_HZ));
  const long = (30 * CHUNK_FRAMES * 1000) / RATE_HZ;
  const { loader, chunks, most, close, until } = await load(file, long, 10 * BYTES_PER_CHUNK);
  loader.pin([20 * CHUNK_FRAMES, 25.5 * CHUNK_FRAMES]);
  await until(() => [0, 1, 2, 3, 4, 5, 20, 21, 25, 26].every((chunk) => chunks.has(chunk)));
  assert.equal(loader.isStreaming, true);
  loader.moveTo(10 * CHUNK_FRAMES, null, true);
  await until(() => chunks.has(9));
  assert.ok([20, 21, 25, 26].every((chunk) => chunks.has(chunk)));
  assert.equal(most(), 10);
  await close();
});

test('decodes the chunks just behind a playhead that moves backwards first', async () => {
  const file = await encodeFile(await codecs.flac(), createTestSong(30 * CHUNK_FRAMES, RATE_HZ));
  const long = (30 * CHUNK_FRAMES * 1000) / RATE_HZ;
  const { loader, chunks, order, close, until } = await load(file, long, 10 * BYTES_PER_CHUNK);
  loader.moveTo(25 * CHUNK_FRAMES, null, true);
  await until(() => chunks.has(25));
  for (let chunk = 24; chunk >= 8; chunk--) {
    loader.moveTo(chunk * CHUNK_FRAMES, null, false, true);
    await until(() => chunks.has(chunk) && chunks.has(chunk - 1));
  }
  assert.ok(order.length < 60, `decoded ${order.length} chunks`);
  await close();
});
