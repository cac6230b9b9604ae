import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStore } from 'zustand/vanilla';
import type { Decks } from './decks.ts';
import { createDjState } from './dj-state.ts';
import { markSaved, requestDiscard, resolveDiscard, toggleRecording } from './recording.ts';

/** Decks that report recordings without making any; `start` is called when one starts. */
function createTarget(start: () => void = () => {}) {
  const recording = createStore(() => ({ isRecording: false, seconds: 0 }));
  const decks = {
    recording,
    recorded: () => ({ seconds: 0, notes: [] }),
    startRecording() {
      start();
      recording.setState({ isRecording: true });
    },
    async stopRecording() {
      recording.setState({ isRecording: false });
      return new Blob(['audio']);
    },
  } as unknown as Decks;
  return { decks, recording, state: createDjState() };
}

const saved = () => new Promise((resolve) => setImmediate(resolve));

test('a recording that ends by itself, as when another window plays the audio, is listed', async () => {
  const target = createTarget();
  toggleRecording(target);
  assert.equal(target.state.getState().recording, 'on');
  target.recording.setState({ isRecording: false });
  await saved();
  assert.equal(target.state.getState().recording, 'off');
  assert.equal(target.state.getState().recordings.at(-1)?.bytes, 5);
});

test('a recording that is stopped is listed once', async () => {
  const target = createTarget();
  toggleRecording(target);
  toggleRecording(target);
  await saved();
  const { recordings } = target.state.getState();
  assert.deepEqual(
    recordings.map(({ number, bytes }) => [number, bytes]),
    [[1, 5]],
  );
  target.recording.setState({ seconds: 3 });
  await saved();
  assert.equal(target.state.getState().recordings, recordings);
});

test('a recording that cannot start is not shown as running, and gives the reason', () => {
  const target = createTarget(() => {
    throw new Error('only the window that .* can record');
  });
  toggleRecording(target);
  assert.equal(target.state.getState().recording, 'off');
  assert.match(target.state.getState().recordingError, /only the window that .* can record/);
});

/** Records a mix from a press to the next. */
async function record(target: ReturnType<typeof createTarget>): Promise<void> {
  toggleRecording(target);
  toggleRecording(target);
  await saved();
}
const numbers = (target: ReturnType<typeof createTarget>) =>
  target.state.getState().recordings.map(({ number }) => number);

test('unsaved recordings stay listed when the next one starts, saved ones do not', async () => {
  const target = createTarget();
  await record(target);
  await record(target);
  assert.deepEqual(numbers(target), [1, 2]);
  const [, second] = target.state.getState().recordings;
  assert.ok(second);
  markSaved(target, second);
  assert.deepEqual(numbers(target), [1, 2], 'until then it can be saved once more');
  toggleRecording(target);
  assert.deepEqual(numbers(target), [1]);
  toggleRecording(target);
  await saved();
  assert.deepEqual(numbers(target), [1, 3]);
  const [first] = target.state.getState().recordings;
  assert.equal(await (await fetch(first?.address ?? '')).text(), 'audio', 'the file is still there');
});

test('an unsaved recording is discarded only after confirmation', async () => {
  const target = createTarget();
  await record(target);
  const [one] = target.state.getState().recordings;
  assert.ok(one);
  requestDiscard(target, one);
  assert.equal(target.state.getState().pendingDiscard, one);
  resolveDiscard(target, false);
  assert.deepEqual([numbers(target), target.state.getState().pendingDiscard], [[1], null]);
  requestDiscard(target, one);
  resolveDiscard(target, true);
  assert.deepEqual([numbers(target), target.state.getState().pendingDiscard], [[], null]);
});
