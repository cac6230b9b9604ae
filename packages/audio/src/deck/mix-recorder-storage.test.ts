import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { DjEngineCommand } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { createStore } from 'zustand/vanilla';
import type { RecordingEvent } from '../recording/recording-messages.ts';
import { RecordingService } from '../recording/recording-service.ts';
import type { OpenRecordingStorage } from '../recording/recording-storage.ts';
import { MemoryDirectory, type MemoryDirectoryOptions } from '../testing/memory-directory.ts';
import { createRecordingState, MixRecorder } from './mix-recorder.ts';

const RATE_HZ = 44_100;
const CHUNK = 32_768;
/** Chunks of a recorded minute. */
const MINUTE = Math.ceil((60 * RATE_HZ * 2) / CHUNK);

/** A recorder with its storage in this thread, on a disk in memory; null is a browser without storage. */
function openRecorder(disk: MemoryDirectoryOptions | null) {
  const root = new MemoryDirectory(disk ?? {});
  const openRoot = async () => {
    if (!disk) throw new DOMException('not in a private window', 'SecurityError');
    return root;
  };
  const openStorage: OpenRecordingStorage = (sampleRateHz, events) => {
    const finished = Promise.withResolvers<void>();
    const service = new RecordingService(openRoot, (event: RecordingEvent) => {
      if (event.type === 'opened') events.opened();
      else if (event.type === 'failed') events.failed(event);
      else if (event.type === 'buffer') events.buffer(event.samples);
      else finished.resolve();
    });
    const description = { version: 1, user_id: 1, started_at: 0, sample_rate_hz: sampleRateHz } as const;
    service.apply({ type: 'open', id: 'mix', description });
    return {
      id: 'mix',
      add: (samples) => service.apply({ type: 'samples', samples }),
      note: (note) => service.apply({ type: 'note', note }),
      async finish() {
        service.apply({ type: 'finish' });
        await finished.promise;
        const folder = await (await root.getDirectoryHandle('recordings')).getDirectoryHandle('mix');
        return (await folder.getFileHandle('audio-000000.pcm')).getFile();
      },
    };
  };
  const state = createStore(createRecordingState);
  const recorder = new MixRecorder(state, openStorage);
  const spare: Float32Array<ArrayBuffer>[] = [];
  const posted: string[] = [];
  recorder.attach({
    sampleRateHz: RATE_HZ,
    nowSeconds: () => 0,
    post(command: DjEngineCommand) {
      posted.push(command.type);
      if (command.type === 'record-buffer') spare.push(command.samples);
      if (command.type === 'record' && !command.isOn)
        recorder.receive({ type: 'recording', samples: new Float32Array(0), isLast: true });
    },
  });
  /** Records chunks as the engine sends them, each into a returned buffer. */
  const record = async (chunks: number) => {
    for (let chunk = 0; chunk < chunks; chunk++) {
      const samples = spare.pop() ?? new Float32Array(CHUNK);
      recorder.receive({ type: 'recording', samples: samples.fill(0.5), isLast: false });
      await new Promise((resolve) => setImmediate(resolve));
    }
    posted.length = 0;
  };
  return { recorder, state, record };
}

test('a recording goes to the storage from its first sample', async () => {
  const { recorder, state, record } = openRecorder({});
  recorder.start();
  await record(10);
  assert.equal(state.getState().storedId, 'mix');
  assert.equal((await recorder.stop()).size, 10 * CHUNK * 3);
  assert.deepEqual([state.getState().isRecording, state.getState().problem], [false, null]);
});

test('without storage the whole recording is held in memory, and the reason is shown', async () => {
  const { recorder, state, record } = openRecorder(null);
  recorder.start();
  await record(10);
  const { storedId, problem, isRecording } = state.getState();
  assert.deepEqual([storedId, problem?.kind, isRecording], [null, 'unstored', true]);
  assert.match(problem?.message ?? '', /private window/);
  assert.equal((await recorder.stop()).size, 44 + 10 * CHUNK * 3);
});

test('a recording that is stopped before the storage is known to be missing loses nothing', async () => {
  const { recorder } = openRecorder(null);
  recorder.start();
  recorder.receive({ type: 'recording', samples: new Float32Array(CHUNK), isLast: false });
  assert.equal((await recorder.stop()).size, 44 + CHUNK * 3);
});

test('a full disk ends the recording, keeps what was stored, and the next one starts anew', async () => {
  const { recorder, state, record } = openRecorder({ quotaBytes: 5.5 * CHUNK * 3 });
  recorder.start();
  await record(10);
  const { isRecording, problem } = state.getState();
  assert.deepEqual([isRecording, problem?.kind], [false, 'full']);
  const { size } = await recorder.stop();
  assert.ok(size > 5 * CHUNK * 3 && size <= 5.5 * CHUNK * 3, `${size}`);
  recorder.start();
  assert.deepEqual([state.getState().isRecording, state.getState().problem], [true, null]);
});

test('a recording retains no memory per minute', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { recorder, record } = openRecorder({ isForgetful: true });
  const retained = () => {
    // Buffers are freed by another thread after a collection; the second one waits until those of the first are.
    collect();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return { heapUsed, arrayBuffers };
  };
  recorder.start();
  await record(2 * MINUTE);
  const early = retained();
  await record(10 * MINUTE);
  const late = retained();
  const bytesPerMinute = {
    heap: (late.heapUsed - early.heapUsed) / 10,
    buffers: (late.arrayBuffers - early.arrayBuffers) / 10,
  };
  t.diagnostic(`retained per recorded minute: ${JSON.stringify(bytesPerMinute)} bytes`);
  // A minute of audio has 15.9 MB. The heap of the test itself varies by some 100 kB.
  assert.ok(bytesPerMinute.buffers <= 0, JSON.stringify({ early, late }));
  assert.ok(bytesPerMinute.heap < 100_000, JSON.stringify({ early, late }));
});
