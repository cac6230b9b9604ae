import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '../base/scope.ts';
import { createHeadphoneOutput } from './headphone-output.ts';

/** A node that records its connections by name. */
class TestNode {
  readonly name: string;
  readonly to: string[] = [];
  readonly stream = { name: 'stream' };

  constructor(name: string) {
    this.name = name;
  }

  connect(node: TestNode, output = 0, input = 0): void {
    this.to.push(`${node.name} ${output} ${input}`);
  }

  disconnect(): void {
    this.to.length = 0;
  }
}

class TestContext {
  readonly destination = Object.assign(new TestNode('out'), { maxChannelCount: 2, channelCount: 2 });
  readonly nodes: TestNode[] = [];

  constructor(outputs: number) {
    this.destination.maxChannelCount = outputs;
  }

  createGain = () => this.#create('gate');
  createChannelMerger = () => this.#create('merger');
  createChannelSplitter = () => this.#create('splitter');
  createMediaStreamDestination = () => this.#create('stream');

  #create(name: string): TestNode {
    const node = new TestNode(`${name} ${this.nodes.length}`);
    this.nodes.push(node);
    return node;
  }
}

function open(outputs: number) {
  const context = new TestContext(outputs);
  const scope = new Scope();
  const master = new TestNode('master');
  const engine = new TestNode('dj-engine');
  const output = createHeadphoneOutput(
    context as unknown as AudioContext,
    scope,
    master as unknown as AudioNode,
    (to) => engine.connect(to as unknown as TestNode),
  );
  const gate = context.nodes.find((node) => node.name.startsWith('gate'))!;
  return { context, scope, master, gate, output };
}

test('a device of four outputs plays the master on its first two and the headphones on the others', async () => {
  const { context, scope, gate, master, output } = open(4);
  assert.deepEqual(
    (await output.devices()).map(({ id }) => id),
    ['outputs-3-4'],
  );
  assert.equal(context.destination.channelCount, 4);
  assert.deepEqual(gate.to, [], 'nothing plays before a choice');
  await output.choose('outputs-3-4');
  const rear = context.nodes.find((node) => gate.to[0]?.startsWith(node.name));
  assert.deepEqual(rear?.to, ['merger 1 0 2', 'merger 1 1 3']);
  const front = context.nodes.find((node) => master.to[0]?.startsWith(node.name));
  assert.deepEqual(front?.to, ['merger 1 0 0', 'merger 1 1 1']);
  await output.choose(null);
  assert.deepEqual(gate.to, []);
  scope.dispose();
  assert.equal(scope.size, 0);
});

test('a browser with one stereo output plays the master, and offers no headphone output', async () => {
  const { master, output } = open(2);
  assert.deepEqual(master.to, ['out 0 0']);
  assert.deepEqual(await output.devices(), []);
  await assert.rejects(output.choose('outputs-3-4'), /no outputs 3 and 4/);
  await assert.rejects(output.choose('usb'), /one output only/);
  await assert.rejects(output.ask(), /names no other outputs/);
});

/** Simulates a browser with a second device for the duration of a test; returns the calls to its element. */
function installDevices(
  t: { after(restore: () => void): void },
  reached: (id: string) => Promise<void> = async () => {},
  played: () => Promise<void> = async () => {},
): string[] {
  const calls: string[] = [];
  class Element {
    srcObject: unknown = null;
    async setSinkId(id: string) {
      if (id === 'gone') throw new Error('no such device');
      await reached(id);
      calls.push(`sink ${id}`);
    }
    async play() {
      calls.push('play');
      await played();
    }
    pause() {
      calls.push('pause');
    }
  }
  const devices = [
    { kind: 'audiooutput', deviceId: 'usb', label: 'Headphones' },
    { kind: 'audioinput', deviceId: 'mic', label: 'Microphone' },
    { kind: 'audiooutput', deviceId: '', label: '' },
    { kind: 'audiooutput', deviceId: 'default', label: 'Default: Speakers' },
    { kind: 'audiooutput', deviceId: 'communications', label: 'Communications: Speakers' },
  ];
  for (const [name, value] of Object.entries({
    Audio: Element,
    HTMLMediaElement: Element,
    navigator: { mediaDevices: { enumerateDevices: async () => devices } },
  })) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    t.after(() => {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    });
  }
  return calls;
}

test('plays headphones on a second device through a separate audio element, silent after release', async (t) => {
  const calls = installDevices(t);
  const { gate, output } = open(2);
  assert.deepEqual(await output.devices(), [{ id: 'usb', label: 'Headphones' }]);
  await output.choose('usb');
  assert.deepEqual(calls, ['sink usb', 'play']);
  assert.equal(gate.to.length, 1);
  await output.choose(null);
  assert.deepEqual(gate.to, []);
  assert.equal(calls.at(-1), 'pause');
  await assert.rejects(output.choose('gone'), /is not available/);
  assert.deepEqual(gate.to, []);
});

test('applies the last of several quick choices, and none after disposal', async (t) => {
  const waiting = new Map<string, () => void>();
  const reached = (id: string) => new Promise<void>((resolve) => void waiting.set(id, resolve));
  const calls = installDevices(t, reached);
  const flush = () => new Promise((resolve) => setImmediate(resolve));

  const { gate, output, scope } = open(2);
  const usb = output.choose('usb');
  await flush();
  await output.choose(null);
  waiting.get('usb')?.();
  await usb;
  assert.deepEqual(gate.to, []);
  assert.equal(calls.includes('play'), false);

  const first = output.choose('usb');
  const second = output.choose('speakers');
  await flush();
  waiting.get('speakers')?.();
  await flush();
  waiting.get('usb')?.();
  await flush();
  waiting.get('speakers')?.();
  await Promise.all([first, second]);
  assert.equal(
    calls.findLast((call) => call.startsWith('sink')),
    'sink speakers',
  );
  assert.equal(gate.to.length, 1);

  const late = output.choose('usb');
  await flush();
  scope.dispose();
  waiting.get('usb')?.();
  await late;
  assert.deepEqual(gate.to, []);
  assert.notEqual(calls.at(-1), 'play');
});

test('where the browser requires a press, the headphones play from the next one on', async (t) => {
  let isPressed = false;
  const calls = installDevices(
    t,
    async () => {},
    async () => {
      if (!isPressed) throw new DOMException('play() was called without a press', 'NotAllowedError');
    },
  );
  const plays = () => calls.filter((call) => call === 'play').length;
  const flush = () => new Promise((resolve) => setImmediate(resolve));
  const { gate, output } = open(2);
  await output.choose('usb');
  assert.equal(gate.to.length, 1);
  output.wake();
  await flush();
  isPressed = true;
  output.wake();
  await flush();
  assert.equal(plays(), 3);
  output.wake();
  assert.equal(plays(), 3, 'what plays is not woken again');
});
