import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordingEvent } from '@stem-studio/audio/recording/recording-messages';
import { RecordingService } from '@stem-studio/audio/recording/recording-service';
import { MemoryDirectory, type MemoryDirectoryOptions } from '@stem-studio/audio/testing/memory-directory';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import {
  listRecordings,
  markRecordingSaved,
  readRecording,
  removeRecording,
  wavHeaderOf,
} from './stored-recordings.ts';

const RATE_HZ = 44_100;
const CHUNK = 32_768;
const description = {
  version: 1,
  user_id: 7,
  started_at: 1_800_000_000_000,
  sample_rate_hz: RATE_HZ,
} as const;
const sampleAt = (n: number) => Math.fround(Math.sin(n * 0.01) * 0.9);

/** Records chunks into a directory; nothing is finished unless a test does it. */
async function record(options: MemoryDirectoryOptions, chunks: number, id = 'mix') {
  const root = new MemoryDirectory(options);
  const events: RecordingEvent[] = [];
  const service = new RecordingService(
    async () => root,
    (event) => void events.push(event),
  );
  const until = async (type: RecordingEvent['type'], count = 1) => {
    while (events.filter((event) => event.type === type).length < count)
      await new Promise((resolve) => setImmediate(resolve));
  };
  service.apply({ type: 'open', id, description });
  for (let chunk = 0; chunk < chunks; chunk++) {
    const samples = Float32Array.from({ length: CHUNK }, (_, n) => sampleAt(chunk * CHUNK + n));
    service.apply({ type: 'samples', samples });
  }
  await until('buffer', chunks);
  return { root, service, events, until };
}

async function assertSamples(file: Blob, samples: number): Promise<void> {
  const { info, samples: channels } = await decodeFile(new Uint8Array(await file.arrayBuffer()));
  assert.deepEqual([info.sample_rate, info.channels, channels[0]?.length], [RATE_HZ, 2, samples / 2]);
  for (let n = 0; n < samples; n += 101) {
    const seen = channels[n % 2]![n >> 1]!;
    assert.ok(Math.abs(seen - sampleAt(n)) < 2 ** -22, `sample ${n} is ${seen}`);
  }
}

test('a recording that was not ended is offered with everything that was stored', async () => {
  const { root } = await record({}, 10);
  const [found, ...others] = await listRecordings(root, 7);
  assert.equal(others.length, 0);
  assert.equal(found?.isInterrupted, true);
  assert.equal(found?.bytes, 10 * CHUNK * 3);
  await assertSamples(await readRecording(root, 'mix'), 10 * CHUNK);
});

test('without synchronous access, at most the last two seconds of an interrupted recording are missing', async () => {
  const { root, service, until } = await record({ hasSync: false }, 20);
  const [interrupted] = await listRecordings(root, 7);
  assert.ok(
    interrupted && interrupted.seconds >= (20 * CHUNK) / 2 / RATE_HZ - 2.5,
    String(interrupted?.seconds),
  );
  service.apply({ type: 'finish' });
  await until('finished');
  const [found] = await listRecordings(root, 7);
  assert.equal(found?.isInterrupted, false);
  await assertSamples(await readRecording(root, 'mix'), 20 * CHUNK);
});

test('notes become the track list, and a cut last line does not prevent it', async () => {
  const { root, service, until } = await record({}, 30);
  const song = { track_id: 't', title: 'One', artist: 'Somebody' };
  service.apply({ type: 'note', note: { seconds: 1, deck: 'a', song } });
  service.apply({ type: 'finish' });
  await until('finished');
  const folder = await (await root.getDirectoryHandle('recordings')).getDirectoryHandle('mix');
  const notes = await folder.getFileHandle('notes.ndjson');
  const text = await (await notes.getFile()).text();
  const stream = await notes.createWritable?.();
  await stream?.write(new TextEncoder().encode(`${text}{"seconds": 2, "de`));
  await stream?.close();
  const [found] = await listRecordings(root, 7);
  assert.deepEqual(
    found?.songs.map(({ title, startSeconds }) => [title, startSeconds]),
    [['One', 1]],
  );
});

test('a full disk ends the recording and keeps all whole frames', async () => {
  const { root, service, events, until } = await record({ quotaBytes: 5 * CHUNK * 3 + 1000 }, 8);
  await until('failed');
  const failed = events.find((event) => event.type === 'failed');
  assert.equal(failed?.type === 'failed' && failed.isFull, true);
  service.apply({ type: 'finish' });
  await until('finished');
  const [found] = await listRecordings(root, 7);
  assert.ok(found && found.bytes > 4.9 * CHUNK * 3 && found.bytes % 6 === 0, String(found?.bytes));
  await assertSamples(await readRecording(root, 'mix'), found.bytes / 3);
});

test('a recording is offered to its user only, and not while its page is open', async () => {
  const { root } = await record({}, 2);
  assert.equal((await listRecordings(root, 8)).length, 0);
  assert.equal((await listRecordings(root, 7, new Set(['mix']))).length, 0);
  assert.equal((await listRecordings(root, 7)).length, 1);
});

test('a recording is marked as saved, and removed', async () => {
  const { root } = await record({}, 2);
  await markRecordingSaved(root, 'mix');
  assert.equal((await listRecordings(root, 7))[0]?.isSaved, true);
  await removeRecording(root, 'mix');
  assert.deepEqual(await listRecordings(root, 7), []);
  await removeRecording(root, 'mix');
  await assert.rejects(readRecording(root, 'mix'), /not in the storage/);
});

test('without private storage the failure is reported, and the service still answers', async () => {
  const events: RecordingEvent[] = [];
  const service = new RecordingService(
    async () => Promise.reject(new DOMException('not in a private window', 'SecurityError')),
    (event) => void events.push(event),
  );
  service.apply({ type: 'open', id: 'mix', description });
  service.apply({ type: 'samples', samples: new Float32Array(4) });
  service.apply({ type: 'finish' });
  while (events.length < 3) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    events.map(({ type }) => type),
    ['failed', 'buffer', 'finished'],
  );
});

test('a file beyond 4 GiB is RF64', () => {
  const frames = 5 * 60 * 60 * RATE_HZ;
  assert.ok(frames * 6 > 2 ** 32);
  const header = wavHeaderOf(RATE_HZ, frames);
  const text = (at: number) => new TextDecoder().decode(header.subarray(at, at + 4));
  assert.deepEqual([text(0), text(8), text(12)], ['RF64', 'WAVE', 'ds64']);
  const view = new DataView(header.buffer);
  assert.equal(view.getBigUint64(28, true), BigInt(frames * 6));
  assert.equal(new TextDecoder().decode(wavHeaderOf(RATE_HZ, 100).subarray(0, 4)), 'RIFF');
});
