import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStore } from 'zustand/vanilla';
import type { Decks } from './decks.ts';
import { createDjState } from './dj.state.ts';
import { toggleRecording } from './recording.ts';

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
  assert.equal(desk.state.getState().saved?.bytes, 5);
});

test('one that is ended by a press is offered once', async () => {
  const desk = createDesk();
  toggleRecording(desk);
  toggleRecording(desk);
  await saved();
  const { saved: first } = desk.state.getState();
  assert.equal(first?.bytes, 5);
  desk.recording.setState({ seconds: 3 });
  await saved();
  assert.equal(desk.state.getState().saved, first);
});

test('one that cannot begin is not shown as if it ran, and says why', () => {
  const desk = createDesk(() => {
    throw new Error('only the window that sounds can record');
  });
  toggleRecording(desk);
  assert.equal(desk.state.getState().recording, 'off');
  assert.match(desk.state.getState().recordingError, /only the window that sounds can record/);
});
