import { startProgram } from '../native/program-loader.ts';
import { samplesWasm } from '../native/samples-wasm.ts';

/** Functions of `packages/dsp/native/samples.c`. */
interface Calls {
  readonly memory: { readonly buffer: ArrayBuffer };
  block_size(): number;
  channel_at(channel: number): number;
  history_at(channel: number): number;
  mono_at(): number;
  coefficients_at(): number;
  states_at(): number;
  squares_at(): number;
  phases_at(): number;
  most_gain_at(): number;
  window_at(): number;
  sides_at(): number;
  halved_at(): number;
  most_outputs(): number;
  most_sides(): number;
  clean(channel: number, count: number, largest: number): void;
  mix(count: number): void;
  weigh(from: number, count: number): void;
  true_peak(channel: number, count: number, peak: number): number;
  halve(outputs: number, sides: number, middle: number): void;
}

/** Samples before a block that a true peak depends on. */
const HISTORY = 11;

/** The compiled program for whole streams of samples, with its buffers. All streams of a thread share it. */
export interface SampleProgram {
  readonly calls: Omit<Calls, `${string}_at` | 'memory'>;
  /** Largest number of samples of a call. */
  readonly blockSize: number;
  /** Input of two audio channels. */
  readonly channels: readonly [Float32Array, Float32Array];
  /** Eleven samples before each of them. */
  readonly histories: readonly [Float32Array, Float32Array];
  /** Output of `mix`. */
  readonly mono: Float32Array;
  /** Two filters, b0, b1, b2, a1 and a2 of each. */
  readonly coefficients: Float64Array;
  /** State of both filters for both audio channels. */
  readonly states: Float64Array;
  /** Output of `weigh`: sums of squares of both audio channels. */
  readonly squares: Float64Array;
  /** Coefficients of the four phases of the true peak, and the largest gain of a phase. */
  readonly phases: Float64Array;
  readonly mostGain: Float64Array;
  /** Input of `halve`: samples, and coefficients of one side. */
  readonly window: Float64Array;
  readonly sides: Float64Array;
  /** Output of `halve`. */
  readonly halved: Float32Array;
}

let program: SampleProgram | undefined;

/** Returns the compiled program, which the first call on a thread starts. */
export function sampleProgram(): SampleProgram {
  program ??= open();
  return program;
}

function open(): SampleProgram {
  const calls = startProgram(samplesWasm) as Calls;
  const { buffer } = calls.memory;
  const [block, outputs, sides] = [calls.block_size(), calls.most_outputs(), calls.most_sides()];
  const floats = (at: number, length: number): Float32Array => new Float32Array(buffer, at, length);
  const doubles = (at: number, length: number): Float64Array => new Float64Array(buffer, at, length);
  return {
    calls,
    blockSize: block,
    channels: [floats(calls.channel_at(0), block), floats(calls.channel_at(1), block)],
    histories: [floats(calls.history_at(0), HISTORY), floats(calls.history_at(1), HISTORY)],
    mono: floats(calls.mono_at(), block),
    coefficients: doubles(calls.coefficients_at(), 10),
    states: doubles(calls.states_at(), 8),
    squares: doubles(calls.squares_at(), 2),
    phases: doubles(calls.phases_at(), 48),
    mostGain: doubles(calls.most_gain_at(), 1),
    window: doubles(calls.window_at(), 2 * (outputs + 2 * sides)),
    sides: doubles(calls.sides_at(), sides),
    halved: floats(calls.halved_at(), outputs),
  };
}
