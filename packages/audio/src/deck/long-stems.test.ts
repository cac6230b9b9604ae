import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { FRAMES_PER_PEAK } from '../player/peak-collector.ts';
import type { FetchRange } from '../player/stem-file.ts';
import { openSameThreadDecoder } from '../testing/same-thread-decoder.ts';
import { DeckLoader } from './deck-loader.ts';
import type { DeckSource } from './deck-source.ts';

const RATE_HZ = 44_100;
const HOUR_FRAMES = 3600 * RATE_HZ;
const FRAME_BYTES = 4;
const MEMORY_BYTES = 32 * 1024 * 1024;
const types: readonly StemType[] = ['vocals', 'drums', 'bass', 'guitar', 'piano', 'other'];
/** Level of all samples: a quarter of full scale. */
const SAMPLE = 8192;
const CHUNK_SECONDS = CHUNK_FRAMES / RATE_HZ;

/** Stereo stems of an hour with one value in all samples; their bytes are created when they are read. */
function hourStems(): FetchRange {
  const head = createWavHeader({ sampleRate: RATE_HZ, channels: 2, bitDepth: '16' }, HOUR_FRAMES, false);
  const totalBytes = head.length + HOUR_FRAMES * FRAME_BYTES;
  return async (_, from, to) => {
    const end = Math.min(to, totalBytes);
    const samples = new Int16Array(Math.ceil((end - from) / 2)).fill(SAMPLE);
    const bytes = new Uint8Array(samples.buffer, 0, end - from);
    if (from < head.length) bytes.set(head.subarray(from, Math.min(head.length, end)));
    return { bytes, totalBytes };
  };
}

/** A loader of six stems of an hour, and the chunks that it has passed on and not dropped. */
async function openHour(t: { after(close: () => void): void }) {
  const resident = new Set<string>();
  const opened = { source: null as DeckSource | null, positionSeconds: 0, mostChunks: 0 };
  const failures: unknown[] = [];
  const loader = new DeckLoader(
    { trackId: 'track', processingJobId: 'job' },
    {
      files: {
        song: () => Promise.reject(new Error('the song itself is not needed')),
        stems: async () => types.map((type) => ({ type, address: type })),
        grid: async () => ({ beats: [], downbeats: [], bpm: null, beatsPerBar: 4 }),
      },
      fetchRange: hourStems(),
      openDecoder: openSameThreadDecoder,
      memoryBytes: MEMORY_BYTES,
    },
    () => opened.positionSeconds,
    {
      ready: (_, source) => {
        opened.source = source;
      },
      chunk: (stem, index) => {
        resident.add(`${stem}:${index}`);
        opened.mostChunks = Math.max(opened.mostChunks, resident.size);
      },
      dropped: (stem, index) => void resident.delete(`${stem}:${index}`),
      failed: (_, error) => void failures.push(error),
    },
  );
  t.after(() => loader.close());
  const hasAt = (seconds: number) =>
    types.every((_, stem) => resident.has(`${stem}:${Math.floor(seconds / CHUNK_SECONDS)}`));
  /** Moves the playhead and waits until the audio there and the next second is loaded. */
  const moveTo = async (seconds: number, isJump: boolean) => {
    opened.positionSeconds = seconds;
    loader.moveTo(seconds, null, isJump);
    for (let waits = 0; !hasAt(seconds) || !hasAt(Math.min(3599, seconds + 1)); waits++) {
      assert.deepEqual(failures, []);
      assert.ok(waits < 60_000, `no audio at ${seconds} s`);
      await sleep(1);
    }
  };
  for (let waits = 0; opened.source === null; waits++) {
    assert.deepEqual(failures, []);
    assert.ok(waits < 60_000, 'the stems are not ready');
    await sleep(1);
  }
  return { loader, opened, moveTo };
}

test('six stems of an hour play from any position in bounded memory', async (t) => {
  const { loader, opened, moveTo } = await openHour(t);
  assert.equal(loader.isStreaming, true);
  assert.equal(opened.source?.frames, HOUR_FRAMES);
  for (const start of [0, 1800, 3540, 600])
    for (let seconds = start; seconds < Math.min(3599, start + 40); seconds += 1)
      await moveTo(seconds, seconds === start);
  const mostBytes = opened.mostChunks * CHUNK_FRAMES * FRAME_BYTES;
  t.diagnostic(`most samples at a time: ${(mostBytes / 1024 ** 2).toFixed(1)} MB`);
  assert.ok(mostBytes <= MEMORY_BYTES, `${mostBytes} bytes`);
  // As much as fits is kept, so that jumps to what was near play at once.
  assert.ok(mostBytes > MEMORY_BYTES / 2, `${mostBytes} bytes`);
});

test('the waveforms of stems stay known after their samples were dropped', async (t) => {
  const { loader, moveTo } = await openHour(t);
  for (const seconds of [0, 1800, 3000]) await moveTo(seconds, true);
  const { stemPeaks } = loader;
  assert.ok(stemPeaks);
  assert.deepEqual(
    stemPeaks.stems.map(({ type }) => type),
    types,
  );
  const peakAt = (seconds: number) => Math.floor((seconds * RATE_HZ) / FRAMES_PER_PEAK);
  for (const { peaks } of stemPeaks.stems) {
    for (const seconds of [0, 1800, 3000]) {
      assert.equal(peaks.has(peakAt(seconds)), true);
      assert.equal(peaks.max[peakAt(seconds)], Math.round((SAMPLE / 32_768) * 127));
    }
    assert.equal(peaks.has(peakAt(2400)), false);
    assert.ok(peaks.min.byteLength + peaks.max.byteLength < 0.7e6);
  }
});
