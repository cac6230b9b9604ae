import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type MicrophoneDevice,
  MicrophoneError,
  type MicrophoneInput,
} from '@stem-studio/audio/dj-engine/microphone-input';
import type { DjEngineCommand } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import type { MicrophoneSetting } from '@stem-studio/renderer/microphone/microphone-messages';
import { MicrophoneBoard } from './microphone-board.ts';

/** A board with an input whose devices and failures a test sets. */
function openBoard(stored = new Map<string, string>()) {
  const devices: MicrophoneDevice[] = [
    { id: 'one', label: 'Built-in' },
    { id: 'two', label: 'USB' },
  ];
  const opened: (string | null)[] = [];
  let failure: Error | null = null;
  let isOpen = false;
  let end = () => {};
  const input: MicrophoneInput = {
    async open(id) {
      opened.push(id);
      isOpen = false;
      if (failure) throw failure;
      isOpen = true;
      return devices.find((device) => device.id === (id ?? 'one')) ?? null;
    },
    close() {
      isOpen = false;
    },
    devices: async () => devices,
    onEnd(ended) {
      end = ended;
    },
    onChange() {},
  };
  const settings: MicrophoneSetting[] = [];
  const board = new MicrophoneBoard({
    read: (key) => stored.get(key) ?? null,
    write: (key, text) => stored.set(key, text),
  });
  const post = (command: DjEngineCommand) => {
    if (command.type === 'microphone') settings.push(command.setting);
  };
  board.attach({ post, wake() {}, microphone: input });
  return {
    board,
    opened,
    devices,
    last: () => settings.at(-1),
    isOpen: () => isOpen,
    fail: (error: Error | null) => {
      failure = error;
    },
    unplug: () => end(),
  };
}

test('opens the device when it is turned on, and releases it when it is turned off', async () => {
  const { board, opened, last, isOpen } = openBoard();
  assert.equal(last()?.isOn, false);
  const opening = board.switchOn();
  assert.equal(board.state.getState().status, 'opening');
  assert.equal(last()?.isOn, false);
  await opening;
  assert.deepEqual([board.state.getState().status, last()?.isOn, opened], ['on', true, [null]]);
  board.switchOff();
  assert.deepEqual([board.state.getState().status, last()?.isOn, isOpen()], ['off', false, false]);
});

test('says why it cannot be used', async () => {
  const { board, fail } = openBoard();
  fail(new MicrophoneError('missing', 'no microphone is connected'));
  await board.switchOn();
  assert.deepEqual(
    [board.state.getState().status, board.state.getState().trouble],
    ['off', 'No microphone is connected.'],
  );
  fail(null);
  await board.switchOn();
  assert.deepEqual([board.state.getState().status, board.state.getState().trouble], ['on', '']);
});

test('goes off with a reason when the device is unplugged, or the audio moves to another window', async () => {
  const { board, last, unplug, isOpen } = openBoard();
  await board.switchOn();
  unplug();
  assert.equal(board.state.getState().status, 'off');
  assert.match(board.state.getState().trouble, /unplugged/);
  assert.equal(last()?.isOn, false);
  await board.switchOn();
  board.attach(null);
  assert.deepEqual([board.state.getState().isHere, isOpen()], [false, false]);
  await board.switchOn();
  assert.match(board.state.getState().trouble, /Only the window that plays the audio/);
});

test('turning it off while the browser asks for permission keeps it off', async () => {
  const { board, last, isOpen } = openBoard();
  const opening = board.switchOn();
  board.switchOff();
  await opening;
  assert.deepEqual([board.state.getState().status, last()?.isOn], ['off', false]);
  board.switchOff();
  assert.equal(isOpen(), false);
});

test('keeps device and settings in the browser; a device that is gone is replaced by the default one', async () => {
  const stored = new Map<string, string>();
  const first = openBoard(stored);
  await first.board.switchOn();
  await first.board.edit({ device: 'two', depth_db: -20, gain_db: 6 });
  assert.deepEqual(first.opened, [null, 'two']);
  const last = first.last();
  assert.ok(last && Math.abs(last.gain - 10 ** (6 / 20)) < 1e-9);
  assert.equal(last.depthDb, -20);

  const { board, opened, devices } = openBoard(stored);
  assert.equal(board.state.getState().settings.depth_db, -20);
  await board.switchOn();
  devices.pop();
  await board.switchOn();
  assert.deepEqual(opened, ['two', null]);
  assert.equal(board.state.getState().settings.device, 'two');
});

test('starts with the default settings where the stored ones cannot be read', () => {
  for (const text of ['{', '{"gain_db":900}', '[]']) {
    const { board } = openBoard(new Map([['stem-studio.microphone', text]]));
    assert.equal(board.state.getState().settings.gain_db, 0);
  }
});
