import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DjEngine } from '@stem-studio/renderer/dj-engine/dj-engine';
import type { RecordedSample } from '@stem-studio/renderer/sampler/prepare-sample';
import { createMemoryStore } from '../testing/controlled-parts.ts';
import { storedPad } from './sample-store.ts';
import { SamplerBoard } from './sampler-board.ts';

const USER = 7;

/** A board with storage in memory, and an engine that renders on demand. */
function openBoard(store = createMemoryStore(), userId: number | null = USER) {
  const messages: string[] = [];
  const board = new SamplerBoard({
    store,
    userId: async () => userId,
    notify: (title, text) => messages.push(`${title}: ${text}`),
  });
  const engine = new DjEngine(44_100);
  engine.capture.onCaptured = (event) => board.receiveCapture(event);
  const port = { sampleRateHz: 44_100, post: engine.apply.bind(engine), wake() {} };
  const render = (frames: number) => {
    const [left, right] = [new Float32Array(frames), new Float32Array(frames)];
    engine.process(left, right, new Float32Array(frames), new Float32Array(frames), frames);
    board.receive(engine.report(0).pads);
    return left.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  };
  return { board, port, render, store, messages };
}

function tone(frames: number, beats: number | null = null): RecordedSample {
  const left = Float32Array.from({ length: frames }, (_, n) => 0.5 * Math.sin(n * 0.05));
  return { sampleRateHz: 44_100, left, right: left, beats };
}

test('has eight pads that sound at once, in the window that plays the audio', async () => {
  const { board, port, render } = openBoard();
  await board.restored;
  assert.equal(board.state.getState().pads.length, 8);
  board.press(0, 1);
  assert.equal(render(4_096), 0);
  board.attach(port);
  for (let pad = 0; pad < 8; pad++) {
    board.press(pad, 1);
    render(128);
    assert.equal(board.state.getState().pads[pad]?.state, 'playing');
    assert.ok(render(44_032) > 0.01, `pad ${pad + 1}`);
    board.stop(null);
    render(8_192);
  }
  board.attach(null);
  assert.equal(board.state.getState().isHere, false);
});

test('keeps samples and settings for the user, and gives them to the next page', async () => {
  const store = createMemoryStore();
  const first = openBoard(store).board;
  first.fill(3, tone(44_100, 2), { name: 'Mine', mode: 'loop' });
  first.edit(3, { color: '#00ff00', gain_db: -6 });
  first.edit(5, { name: 'Chord' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(storedPad.safeParse(store.stored.get(3)).success);

  const { board, port, render } = openBoard(store);
  await board.restored;
  const [, , , mine, , chord] = board.state.getState().pads;
  assert.deepEqual(
    [mine?.settings.name, mine?.settings.color, mine?.settings.beats, mine?.isDefault],
    ['Mine', '#00ff00', 2, false],
  );
  assert.deepEqual([chord?.settings.name, chord?.isDefault], ['Chord', true]);
  board.attach(port);
  board.press(3, 1);
  const peak = render(22_050);
  assert.ok(Math.abs(peak - 0.25) < 0.01, `a peak of ${peak} at −6 dB`);

  board.reset(3);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(store.stored.has(3), false);
  assert.equal(board.state.getState().pads[3]?.isDefault, true);
});

test('a change that is made before the storage is read is kept', async () => {
  const store = createMemoryStore();
  const before = openBoard(store).board;
  before.edit(0, { name: 'Stored' });
  await new Promise((resolve) => setImmediate(resolve));
  const { board } = openBoard(store);
  board.edit(0, { name: 'Newer' });
  await board.restored;
  assert.equal(board.state.getState().pads[0]?.settings.name, 'Newer');
});

test('says that a pad is not stored when the browser has no space, and plays it', async () => {
  const store = {
    ...createMemoryStore(),
    write: () => Promise.reject(new Error('the browser has no space left')),
  };
  const { board, port, render, messages } = openBoard(store);
  board.attach(port);
  board.fill(0, tone(4_410), { name: 'Big' });
  await board.restored;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(messages, [
    'Pad 1 not saved: It plays until you leave the page: the browser has no space left.',
  ]);
  board.press(0, 1);
  assert.ok(render(4_096) > 0.4);
});

test('refuses settings that are not allowed, and changes nothing', () => {
  const { board } = openBoard();
  const before = board.state.getState().pads[0];
  for (const changes of [{ name: ' ' }, { gain_db: 40 }, { color: 'red' }, { beats: -1 }, { choke_group: 9 }])
    assert.throws(() => board.edit(0, changes), JSON.stringify(changes));
  assert.deepEqual(board.state.getState().pads[0], before);
});

test('leaves out stored pads that cannot be read', () => {
  const settings = openBoard().board.state.getState().pads[0]?.settings;
  const left = new Float32Array(100);
  const sample = { sample_rate_hz: 44_100, left, right: null };
  assert.ok(storedPad.safeParse({ settings, sample }).success);
  for (const bad of [
    { settings: { ...settings, mode: 'other' }, sample },
    { settings, sample: { ...sample, left: [1, 2, 3] } },
    { settings, sample: { ...sample, right: new Float32Array(99) } },
    { settings, sample: { ...sample, left: new Float32Array(32 * 44_100) } },
    { settings, sample: { ...sample, sample_rate_hz: 0 } },
  ])
    assert.equal(storedPad.safeParse(bad).success, false);
});

test('a capture fails with a reason when the audio moves to another window', async () => {
  const { board, port } = openBoard();
  const region = { deck: 'a', source: null, startFrame: 0, endFrame: 100 } as const;
  await assert.rejects(board.capture(region), /only the window that plays the audio/);
  board.attach(port);
  await assert.rejects(board.capture(region), /not loaded yet/);
  board.attach({ ...port, post() {} });
  const pending = board.capture(region);
  board.attach(null);
  await assert.rejects(pending, /not loaded yet/);
});
