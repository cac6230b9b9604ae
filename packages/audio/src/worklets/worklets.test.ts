import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DjEngine } from '@stem-studio/renderer/dj-engine/dj-engine';
import type { DjEngineCommand } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { StemMixer } from '@stem-studio/renderer/stem-mixer/stem-mixer';
import type { StemMixerCommand } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';

const RATE_HZ = 44_100;
const SONG_FRAMES = 4 * CHUNK_FRAMES;
/** Frames after which commands are sent: a multiple of every block size. */
const STEP_FRAMES = 16_384;

type Stereo = readonly [Float32Array, Float32Array];
type Render = (left: Float32Array, right: Float32Array) => void;

/** A processor as the audio thread drives it. */
interface Processor {
  port: { onmessage: ((event: { data: unknown }) => void) | null };
  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}

/** Loads the worklets into a simulated audio thread and creates one of their processors. */
async function createProcessor(name: string): Promise<Processor> {
  const registered = new Map<string, new () => Processor>();
  Object.assign(globalThis, {
    AudioWorkletProcessor: class {
      readonly port = { onmessage: null, postMessage: () => {} };
    },
    registerProcessor: (key: string, processor: new () => Processor) => registered.set(key, processor),
    sampleRate: RATE_HZ,
    currentTime: 0,
  });
  // The query makes a new module of each, which registers its processor again.
  await import(`./${name === 'dj-engine' ? 'dj-engine' : 'stem-mixer'}.worklet.ts?${name}`);
  const Created = registered.get(name);
  assert.ok(Created, `${name} is registered`);
  return new Created();
}

/** A chunk of a stem that differs from frame to frame and from stem to stem. */
function chunkOf(stem: number, index: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: CHUNK_FRAMES }, (_, n) => {
    const frame = index * CHUNK_FRAMES + n;
    const onset = Math.exp(-(frame % 22_050) / 3_000);
    return 0.4 * onset * Math.sin(frame * 0.03 * (stem + 1)) + 0.1 * Math.sin(frame * 0.011);
  });
}

const chunks = [0, 1].flatMap((stem) =>
  Array.from({ length: SONG_FRAMES / CHUNK_FRAMES }, (_, index) => ({ stem, index })),
);

/** Renders, `block` frames a call, and sends the commands of each step before it. */
function renderSteps<Command>(
  steps: readonly (readonly Command[])[],
  block: number,
  apply: (command: Command) => void,
  render: Render,
): Stereo {
  const frames = steps.length * STEP_FRAMES;
  const [left, right] = [new Float32Array(frames), new Float32Array(frames)];
  for (let at = 0; at < frames; at += block) {
    if (at % STEP_FRAMES === 0) steps[at / STEP_FRAMES]?.forEach(apply);
    render(left.subarray(at, at + block), right.subarray(at, at + block));
  }
  return [left, right];
}

/** The output of a worklet, driven as a browser does. */
async function renderInWorklet(name: string, steps: readonly (readonly unknown[])[]): Promise<Stereo> {
  const processor = await createProcessor(name);
  return renderSteps(
    steps,
    128,
    (data) => processor.port.onmessage?.({ data }),
    (left, right) => {
      const second = [new Float32Array(128), new Float32Array(128)];
      processor.process([], [[left, right], second]);
    },
  );
}

function assertSame(worklet: Stereo, server: Stereo, what: string): void {
  assert.ok(
    worklet[0].some((sample) => Math.abs(sample) > 0.1),
    'the worklet is audible',
  );
  for (const side of [0, 1] as const) {
    const differs = worklet[side].findIndex((sample, n) => sample !== server[side][n]);
    assert.equal(differs, -1, `${what}: first sample that differs`);
  }
}

test('renders a stem mix in larger blocks to the same samples as the worklet', async () => {
  const shape = { frames: SONG_FRAMES, channels: 1 };
  const load = chunks.map(
    ({ stem, index }): StemMixerCommand => ({ type: 'chunk', stem, index, samples: chunkOf(stem, index) }),
  );
  const centre = { pan: 0, low: 1, mid: 1, high: 1 };
  const steps: StemMixerCommand[][] = [
    [
      { type: 'setup', sampleRateHz: RATE_HZ, stems: [shape, shape] },
      { type: 'beats', beats: [0.2, 0.3, 0.4, 0.5, 3, 3.1, 3.2], downbeats: [0.2, 3] },
      ...load,
      { type: 'play', id: 1 },
    ],
    [{ type: 'tempo', rate: 0.92, semitones: 2, isKeyLocked: true }],
    [{ type: 'gains', gains: [1.5, 0.2] }],
    [
      {
        type: 'gains',
        gains: [1, 1],
        tones: [
          { pan: -0.4, low: 0, mid: 1, high: 2 },
          { pan: 0.1, low: 1, mid: 0.9, high: 1 },
        ],
      },
      { type: 'metronome', isOn: true, gain: 0.6 },
    ],
    [{ type: 'loop', loop: { startFrame: 40_000, endFrame: 62_050 } }],
    [{ type: 'tempo', rate: 1.3, semitones: 0, isKeyLocked: false }],
    [{ type: 'seek', frame: 150_000, id: 2 }],
    [{ type: 'pause', id: 3 }],
    [
      { type: 'count-in', bars: 1 },
      { type: 'play', id: 4 },
    ],
    [],
    [{ type: 'gains', gains: [1, 1], tones: [centre, centre] }],
    [],
  ];
  const worklet = await renderInWorklet('stem-mixer', steps);
  for (const block of [256, 1_024, STEP_FRAMES]) {
    const mixer = new StemMixer(RATE_HZ);
    const server = renderSteps(
      steps,
      block,
      (command) => mixer.apply(command),
      (left, right) => mixer.process(left, right, left.length),
    );
    assertSame(worklet, server, `${block} frames a block`);
  }
});

test('renders a mix of both decks in larger blocks to the same samples as the worklet', async () => {
  const beats = Float64Array.from({ length: 12 }, (_, beat) => beat * 0.5);
  const downbeats = beats.filter((_, beat) => beat % 4 === 0);
  const loadDeck = (deck: 'a' | 'b', load: number): DjEngineCommand[] => [
    {
      type: 'load',
      deck,
      load,
      sampleRateHz: RATE_HZ,
      frames: SONG_FRAMES,
      sources: [{ channels: 1 }, { channels: 1 }],
      keepsPosition: false,
    },
    { type: 'grid', deck, beats, downbeats },
    ...chunks.map(
      ({ stem, index }): DjEngineCommand => ({
        type: 'chunk',
        deck,
        load,
        source: stem,
        index,
        samples: chunkOf(stem, index),
      }),
    ),
  ];
  const steps: DjEngineCommand[][] = [
    [...loadDeck('a', 1), ...loadDeck('b', 1), { type: 'play', deck: 'a', keepsPhase: false, id: 1 }],
    [
      { type: 'tempo', deck: 'b', rate: 1, isKeyLocked: true, semitones: 0 },
      { type: 'sync', leader: 'a', keepsPhase: true },
      { type: 'play', deck: 'b', keepsPhase: true, id: 1 },
    ],
    [{ type: 'tempo', deck: 'a', rate: 1.06, isKeyLocked: true, semitones: -1 }],
    [{ type: 'loop', deck: 'a', loop: { startFrame: 44_100, endFrame: 66_150 }, id: 2 }],
    [{ type: 'scratch', deck: 'b', rate: -1.5 }],
    [{ type: 'scratch', deck: 'b', rate: null }],
    [{ type: 'metronome', isOn: true, volume: 0.5, output: 'master', leader: 'a' }],
  ];
  const worklet = await renderInWorklet('dj-engine', steps);
  for (const block of [256, 1_024, STEP_FRAMES]) {
    const engine = new DjEngine(RATE_HZ);
    const server = renderSteps(
      steps,
      block,
      (command) => engine.apply(command),
      (left, right) => {
        const [headLeft, headRight] = [new Float32Array(left.length), new Float32Array(left.length)];
        engine.process(left, right, headLeft, headRight, left.length);
      },
    );
    assertSame(worklet, server, `${block} frames a block`);
  }
});
