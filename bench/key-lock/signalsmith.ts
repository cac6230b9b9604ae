import { cpuSeconds } from './measures.ts';

interface Processor {
  readonly port: { onmessage: ((event: { data: unknown[] }) => void) | null };
  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}

/** Global names available to an audio worklet's module. */
interface WorkletWorld {
  AudioWorkletProcessor: unknown;
  registerProcessor: unknown;
  sampleRate: number;
  currentTime: number;
}

const BLOCK = 128;

/** Signalsmith Stretch as it runs in the browser, with its worklet in an emulated environment. */
export interface SignalsmithPlayer {
  /**
   * Plays a song from its beginning. Returns the output, aligned with the song's beginning, and the duration of the
   * processing in seconds.
   */
  play(
    song: readonly [Float32Array, Float32Array],
    rate: number,
    semitones: number,
    frames: number,
  ): Promise<{ sides: [Float32Array, Float32Array]; seconds: number }>;
}

type ProcessorClass = new (options: unknown) => Processor;

const world = globalThis as unknown as WorkletWorld;
const waiting = new Map<unknown, (value: unknown) => void>();
let registered: ProcessorClass | null = null;

/** Returns the worklet's processor, which the package registers once per thread. */
async function loadProcessor(sampleRateHz: number): Promise<ProcessorClass> {
  world.sampleRate = sampleRateHz;
  world.currentTime = 0;
  world.AudioWorkletProcessor = class {
    port = {
      onmessage: null,
      postMessage: ([id, value]: [unknown, unknown]) => waiting.get(id)?.(value),
    };
  };
  world.registerProcessor = (_name: string, given: ProcessorClass) => {
    registered = given;
  };
  await import('signalsmith-stretch');
  if (!registered) throw new Error('signalsmith-stretch has registered no processor');
  return registered;
}

/**
 * Loads the package's worklet, which runs in this thread.
 *
 * @param blocks `configure` options of the package, or null for its default
 */
export async function loadSignalsmith(
  sampleRateHz: number,
  blocks: { blockMs: number; intervalMs: number } | null,
): Promise<SignalsmithPlayer> {
  const create = await loadProcessor(sampleRateHz);
  let calls = 0;
  return {
    async play(song, rate, semitones, frames) {
      const isReady = new Promise((resolve) => waiting.set('ready', resolve));
      const processor = new create({ outputChannelCount: [2] });
      await isReady;
      const call = (...message: unknown[]): Promise<unknown> => {
        const id = calls++;
        return new Promise((resolve) => {
          waiting.set(id, resolve);
          processor.port.onmessage?.({ data: [id, ...message] });
        });
      };
      world.currentTime = 0;
      if (blocks) await call('configure', blocks);
      await call('addBuffers', song);
      const latency = Number(await call('latency'));
      // The package delays its output; a start beyond that delay is exact.
      const startSeconds = Math.ceil((latency * sampleRateHz) / BLOCK) * (BLOCK / sampleRateHz);
      await call('schedule', {
        output: startSeconds,
        active: true,
        input: 0,
        rate,
        semitones,
        tonalityHz: 0,
      });
      const sides: [Float32Array, Float32Array] = [new Float32Array(frames), new Float32Array(frames)];
      const [left, right] = [new Float32Array(BLOCK), new Float32Array(BLOCK)];
      const lead = Math.round(startSeconds * sampleRateHz);
      const begun = cpuSeconds();
      for (let at = -lead; at + BLOCK <= frames; at += BLOCK) {
        processor.process([], [[left, right]]);
        if (at >= 0) {
          sides[0].set(left, at);
          sides[1].set(right, at);
        }
        world.currentTime += BLOCK / sampleRateHz;
      }
      return { sides, seconds: cpuSeconds() - begun };
    },
  };
}
