import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStore } from 'zustand/vanilla';
import type { Decks } from './decks.ts';
import { createDjState } from './dj-state.ts';
import { answerDiscard, askDiscard, takeRecording, toggleRecording } from './recording.ts';

/** Decks that record nothing but say that they do; `begin` is what happens when they are to. */
function createDesk(begin: () => void = () => {}) {
  const recording = createStore(() => ({ isRecording: false, seconds: 0 }));
  const decks = {
    recording,
    startRecording() {
      begin();
      recording.setState({ isRecording: true });
    },
    async stopRecording() {
      recording.setState({ isRecording: false });
      return new Blob(['sound']);
    },
  } as unknown as Decks;
  return { decks, recording, state: createDjState() };
}

const saved = () => new Promise((resolve) => setImmediate(resolve));

test('a recording that ends by itself, as when another window takes the sound, is offered', async () => {
  const desk = createDesk();
  toggleRecording(desk);
  assert.equal(desk.state.getState().recording, 'on');
  desk.recording.setState({ isRecording: false });
  await saved();
  assert.equal(desk.state.getState().recording, 'off');
  assert.equal(desk.state.getState().kept.at(-1)?.bytes, 5);
});

test('one that is ended by a press is offered once', async () => {
  const desk = createDesk();
  toggleRecording(desk);
  toggleRecording(desk);
  await saved();
  const { kept } = desk.state.getState();
  assert.deepEqual(
    kept.map(({ number, bytes }) => [number, bytes]),
    [[1, 5]],
  );
  desk.recording.setState({ seconds: 3 });
  await saved();
  assert.equal(desk.state.getState().kept, kept);
});

test('one that cannot begin is not shown as if it ran, and says why', () => {
  const desk = createDesk(() => {
    throw new Error('only the window that sounds can record');
  });
  toggleRecording(desk);
  assert.equal(desk.state.getState().recording, 'off');
  assert.match(desk.state.getState().recordingError, /only the window that sounds can record/);
});

/** Records a mix from a press to the next. */
async function record(desk: ReturnType<typeof createDesk>): Promise<void> {
  toggleRecording(desk);
  toggleRecording(desk);
  await saved();
}
const numbers = (desk: ReturnType<typeof createDesk>) =>
  desk.state.getState().kept.map(({ number }) => number);

test('one that is not on the disk is kept when the next one begins; one that is has to be kept no longer', async () => {
  const desk = createDesk();
  await record(desk);
  await record(desk);
  assert.deepEqual(numbers(desk), [1, 2]);
  const [, second] = desk.state.getState().kept;
  assert.ok(second);
  takeRecording(desk, second);
  assert.deepEqual(numbers(desk), [1, 2], 'until then it can be saved once more');
  toggleRecording(desk);
  assert.deepEqual(numbers(desk), [1]);
  toggleRecording(desk);
  await saved();
  assert.deepEqual(numbers(desk), [1, 3]);
  const [first] = desk.state.getState().kept;
  assert.equal(await (await fetch(first?.address ?? '')).text(), 'sound', 'the file is still there');
});

test('one that is not on the disk is thrown away only when that is meant', async () => {
  const desk = createDesk();
  await record(desk);
  const [one] = desk.state.getState().kept;
  assert.ok(one);
  askDiscard(desk, one);
  assert.equal(desk.state.getState().discardQuestion, one);
  answerDiscard(desk, false);
  assert.deepEqual([numbers(desk), desk.state.getState().discardQuestion], [[1], null]);
  askDiscard(desk, one);
  answerDiscard(desk, true);
  assert.deepEqual([numbers(desk), desk.state.getState().discardQuestion], [[], null]);
});
