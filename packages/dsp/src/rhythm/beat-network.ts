import { fromBase64 } from '../native/base64.ts';
import { beatsWasm } from '../native/beats-wasm.ts';
import { createProgramLoader } from '../native/program-loader.ts';
import { createRealFft } from '../transform/fft.ts';
import { createFramer } from '../transform/framer.ts';
import {
  BEAT_FFT_SIZE,
  BEAT_FRAME_SIZE,
  BEAT_NETWORK_HOP,
  BEAT_TAPS,
  beatBands,
  interpolatedBins,
} from './beat-network-input.ts';

/** Probabilities of beats for each frame of 20 ms; frame t is centred on t · 20 ms. */
export interface BeatActivations {
  /** Probability of a beat that is no downbeat, 0 to 1. */
  readonly beat: Float32Array;
  /** Probability of a downbeat, 0 to 1. */
  readonly downbeat: Float32Array;
}

/** Computes the beat network along a stream of samples. */
export interface BeatNetworkKernel {
  /** Adds the next samples, mono at 22,050 Hz. */
  push(block: Float32Array): void;
  /** Returns the activations of all frames: 1 + ⌊samples / 441⌋, and none for no samples. */
  finish(): BeatActivations;
  /** Frees the memory of the transform. */
  dispose(): void;
}

interface Calls {
  readonly memory: { readonly buffer: ArrayBuffer };
  weights_at(): number;
  weights_size(): number;
  tap_starts_at(): number;
  taps_at(): number;
  band_starts_at(): number;
  band_lengths_at(): number;
  band_weights_at(): number;
  spectrum_at(): number;
  scores_at(): number;
  state_at(): number;
  state_size(): number;
  prepare(): void;
  add_frame(frame: number): void;
  run(count: number): void;
}

/** Frames that are computed together. */
const BLOCK_FRAMES = 60;
const HALF = (BEAT_FRAME_SIZE - 1) / 2;

const start = createProgramLoader<Calls>(beatsWasm);
let program: Calls | undefined;
let loading: Promise<Calls> | undefined;

/**
 * Loads the beat network once per thread; after that, `createBeatNetworkKernel` works. Further calls cost nothing.
 *
 * The weights are a module of their own, which is loaded here.
 */
export async function loadBeatNetwork(): Promise<void> {
  loading ??= import('./weights/beatnet-1.ts').then(({ beatNet1 }) => startProgram(beatNet1));
  program = await loading;
}

async function startProgram(text: string): Promise<Calls> {
  const calls = await start();
  const { buffer } = calls.memory;
  const weights = readBeatWeights(fromBase64(text));
  if (weights.length !== calls.weights_size())
    throw new Error(`the beat network must have ${calls.weights_size()} weights (got ${weights.length})`);
  new Float32Array(buffer, calls.weights_at(), weights.length).set(weights);
  const bins = interpolatedBins();
  new Int32Array(buffer, calls.tap_starts_at(), bins.length).set(bins.map((bin) => bin.start));
  new Float32Array(buffer, calls.taps_at(), 2 * BEAT_TAPS * bins.length).set(
    // Each weight is for a real and an imaginary part.
    bins.flatMap((bin) => bin.weights.flatMap((weight) => [weight, weight])),
  );
  const bands = beatBands();
  new Int32Array(buffer, calls.band_starts_at(), bands.length).set(bands.map((band) => band.start));
  new Int32Array(buffer, calls.band_lengths_at(), bands.length).set(bands.map((band) => band.weights.length));
  const bandWeights = bands.flatMap((band) => [...band.weights]);
  new Float32Array(buffer, calls.band_weights_at(), bandWeights.length).set(bandWeights);
  calls.prepare();
  return calls;
}

/** Outputs and inputs of the stored tensors; those with `isRounded` are bytes with a scale for each output. */
const TENSORS = [
  { outputs: 2, inputs: 10 },
  { outputs: 2, inputs: 1 },
  { outputs: 150, inputs: 262, isRounded: true },
  { outputs: 150, inputs: 1 },
  ...[0, 1].flatMap(() => [
    { outputs: 600, inputs: 150, isRounded: true },
    { outputs: 600, inputs: 150, isRounded: true },
    { outputs: 600, inputs: 1 },
  ]),
  { outputs: 3, inputs: 150 },
  { outputs: 3, inputs: 1 },
];

/**
 * Returns the weights in a file of `training/convert_beatnet.py`, in the order of `native/beats.c`.
 *
 * @throws RangeError for a file of another length
 */
export function readBeatWeights(bytes: Uint8Array): Float32Array {
  const size = TENSORS.reduce((sum, { outputs, inputs, isRounded }) => {
    return sum + (isRounded ? outputs * (inputs + 4) : 4 * outputs * inputs);
  }, 0);
  if (bytes.length !== size)
    throw new RangeError(`the weights of the beat network must have ${size} bytes (got ${bytes.length})`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const weights = new Float32Array(TENSORS.reduce((sum, { outputs, inputs }) => sum + outputs * inputs, 0));
  let at = 0;
  let next = 0;
  for (const { outputs, inputs, isRounded } of TENSORS) {
    const scales = at;
    if (isRounded) at += 4 * outputs;
    for (let output = 0; output < outputs; output++) {
      const scale = isRounded ? view.getFloat32(scales + 4 * output, true) : 1;
      for (let input = 0; input < inputs; input++, at += isRounded ? 1 : 4)
        weights[next++] = isRounded ? scale * view.getInt8(at) : view.getFloat32(at, true);
    }
  }
  return weights;
}

/**
 * Creates the beat network of BeatNet, computed along a stream by `packages/dsp/native/beats.c`.
 *
 * samples → spectrum → 136 bands → log and rise → convolution → two recurrent layers → probabilities of beat and
 * downbeat. `loadFft` and `loadBeatNetwork` must have finished on this thread.
 *
 * @throws Error if the network is not loaded
 * @see Heydari, Cwitkowitz, Duan, "BeatNet: CRNN and particle filtering for online joint beat, downbeat and meter
 *   tracking", ISMIR 2021
 */
export function createBeatNetworkKernel(): BeatNetworkKernel {
  const calls = program;
  if (!calls) throw new Error('loadBeatNetwork() must have finished on this thread');
  const fft = createRealFft(BEAT_FFT_SIZE);
  // The frame is centred: its first half lies at the end of the transform.
  const framer = createFramer({ size: BEAT_FRAME_SIZE + 1, hop: BEAT_NETWORK_HOP });
  const window = Float32Array.from(
    { length: BEAT_FRAME_SIZE },
    (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / (BEAT_FRAME_SIZE - 1)),
  );
  const frames = new Float32Array(BLOCK_FRAMES * BEAT_FRAME_SIZE);
  const padded = new Float32Array(BEAT_FFT_SIZE);
  const packed = new Float32Array(BEAT_FFT_SIZE);
  // The program is shared by all streams of the thread: each has its own state.
  const state = new Float32Array(calls.state_size());
  const beat: Float32Array[] = [];
  const downbeat: Float32Array[] = [];
  let count = 0;

  const onFrame = (samples: Float32Array): void => {
    const frame = frames.subarray(count * BEAT_FRAME_SIZE, (count + 1) * BEAT_FRAME_SIZE);
    for (let at = 0; at < BEAT_FRAME_SIZE; at++) frame[at] = (samples[at + 1] ?? 0) * (window[at] ?? 0);
    if (++count === BLOCK_FRAMES) runBlock();
  };

  const runBlock = (): void => {
    const { buffer } = calls.memory;
    const shared = new Float32Array(buffer, calls.state_at(), state.length);
    const spectrum = new Float32Array(buffer, calls.spectrum_at(), BEAT_FFT_SIZE + 2);
    shared.set(state);
    for (let frame = 0; frame < count; frame++) {
      const from = frame * BEAT_FRAME_SIZE;
      padded.set(frames.subarray(from + HALF, from + BEAT_FRAME_SIZE));
      padded.set(frames.subarray(from, from + HALF), BEAT_FFT_SIZE - HALF);
      fft.forwardPacked(padded, packed);
      spectrum.set(packed);
      spectrum[1] = 0;
      spectrum[BEAT_FFT_SIZE] = packed[1] ?? 0;
      calls.add_frame(frame);
    }
    calls.run(count);
    state.set(shared);
    const scores = new Float32Array(buffer, calls.scores_at(), 4 * count);
    beat.push(Float32Array.from({ length: count }, (_, frame) => scores[4 * frame] ?? 0));
    downbeat.push(Float32Array.from({ length: count }, (_, frame) => scores[4 * frame + 1] ?? 0));
    count = 0;
  };

  return {
    push: (block) => framer.push(block, onFrame),
    finish() {
      framer.finish(onFrame);
      if (count > 0) runBlock();
      return { beat: joined(beat), downbeat: joined(downbeat) };
    },
    dispose: () => fft.dispose(),
  };
}

function joined(blocks: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.length;
  }
  return all;
}
