import { nativeProgram } from './native-program.ts';

/** What every compiled decoder exports besides calls of its own: where in its memory its buffers lie. */
export interface NativeBuffers {
  readonly memory: { readonly buffer: ArrayBuffer };
  input_at(): number;
  input_size(): number;
  lengths_at(): number;
  lengths_size(): number;
  output_at(channel: number): number;
  output_size(): number;
}

/** A compiled decoder with a memory of its own, which never grows. */
export interface NativeDecoder<Calls> {
  readonly calls: Calls;
  /** Frames or packets of a codec, one behind the other. */
  readonly input: Uint8Array;
  /** Their lengths in bytes. */
  readonly lengths: Int32Array;
  /** What was decoded, an array for each audio channel. */
  readonly outputs: readonly Float32Array[];
}

/** Decoders of one kind. */
export interface NativePool<Calls> {
  /** A decoder that nobody else uses; its state is whatever the last one left. */
  borrow(): Promise<NativeDecoder<Calls>>;
  /** Gives it back for the next. One that broke is not given back: it goes with its memory. */
  giveBack(decoder: NativeDecoder<Calls>): void;
}

/** Idle decoders kept: what decodes at one time, and not what was decoded since the start, is what memory costs. */
const MAX_IDLE = 4;

/**
 * Decoders compiled from `packages/dsp/native` for `channels` audio channels at most. The module is compiled once a
 * thread, at the first use.
 *
 * @param wasm the module in base 64, as `tools/build-native.ts` writes it
 */
export function createNativePool<Calls extends object>(
  wasm: string,
  channels: number,
): NativePool<Calls & NativeBuffers> {
  const start = nativeProgram<Calls & NativeBuffers>(wasm);
  const idle: NativeDecoder<Calls & NativeBuffers>[] = [];
  return {
    async borrow() {
      const waiting = idle.pop();
      if (waiting) return waiting;
      const calls = await start();
      const { buffer } = calls.memory;
      return {
        calls,
        input: new Uint8Array(buffer, calls.input_at(), calls.input_size()),
        lengths: new Int32Array(buffer, calls.lengths_at(), calls.lengths_size()),
        outputs: Array.from(
          { length: channels },
          (_, channel) => new Float32Array(buffer, calls.output_at(channel), calls.output_size()),
        ),
      };
    },
    giveBack(decoder) {
      if (idle.length < MAX_IDLE) idle.push(decoder);
    },
  };
}
