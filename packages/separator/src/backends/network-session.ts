import { availableParallelism } from 'node:os';
import type { NetworkDevice } from '@stem-studio/contract/separation-weights';
import {
  networkBinCount,
  networkFrameCount,
  networkSegmentSamples,
} from '@stem-studio/dsp/separate/network-spectrogram';
import type { InferenceSession } from 'onnxruntime-node';
import { SeparationError } from '../separation-error.ts';
import type { NetworkRuntime } from './network-runtime.ts';
import { type NetworkShape, recogniseNetwork } from './network-shape.ts';

/** How networks are opened. */
export interface SessionOptions {
  readonly files: readonly string[];
  readonly device: NetworkDevice;
  /** Whether memory is kept from one run to the next. */
  readonly keepsMemory: boolean;
}

/** Networks that are ready to run, all on the same device. */
export interface OpenNetworks {
  /** Where they run: `cpu`, `cuda`, … */
  readonly device: string;
  readonly shapes: readonly NetworkShape[];
  /** A sentence where they do not run where they were asked to. */
  readonly warning: string | null;
  readonly sessions: readonly InferenceSession[];
}

/** What a network takes and gives: the sound of a segment, and its spectrogram where that is outside. */
export interface NetworkSound {
  /** Both sides, one after the other; of all stems in what a network gives. */
  readonly sound: Float32Array;
  readonly spectrogram: Float32Array | null;
}

/** The devices to try, in their order. */
function candidates(device: NetworkDevice, runtime: NetworkRuntime): readonly string[] {
  if (device !== 'auto') return device === 'cpu' ? ['cpu'] : [device, 'cpu'];
  const known = runtime.listSupportedBackends().map(({ name }) => name);
  return [...['cuda', 'coreml', 'dml', 'webgpu'].filter((name) => known.includes(name)), 'cpu'];
}

/**
 * Opens networks where they are asked to run, or where that cannot be on the processor, with all its cores.
 *
 * @throws SeparationError `model_not_available` for a file that is no network, or of no known shape
 */
export async function openNetworks(runtime: NetworkRuntime, options: SessionOptions): Promise<OpenNetworks> {
  let reason: string | null = null;
  for (const device of candidates(options.device, runtime)) {
    const sessions: InferenceSession[] = [];
    try {
      for (const file of options.files)
        sessions.push(
          await runtime.InferenceSession.create(file, {
            executionProviders: [device],
            intraOpNumThreads: availableParallelism(),
            interOpNumThreads: 1,
            executionMode: 'sequential',
            graphOptimizationLevel: 'all',
            enableCpuMemArena: options.keepsMemory,
            enableMemPattern: options.keepsMemory,
            // Only what makes it fail: that is told by the error too.
            logSeverityLevel: 4,
          }),
        );
    } catch (error) {
      for (const session of sessions) await session.release();
      reason ??= firstSentence(error);
      if (device !== 'cpu') continue;
      throw new SeparationError(
        'model_not_available',
        `the network cannot be opened: ${firstSentence(error)}`,
        {
          cause: error,
        },
      );
    }
    const isElsewhere = device === 'cpu' && options.device !== 'cpu' && options.device !== 'auto';
    return {
      device,
      sessions,
      shapes: sessions.map((session) => recogniseNetwork(session.inputMetadata, session.outputMetadata)),
      warning: isElsewhere
        ? `the networks run on the processor: ${options.device} cannot be used here (${reason})`
        : null,
    };
  }
  throw new Error('the processor is always among the candidates');
}

/** Runs a network on one segment. */
export async function runNetwork(
  runtime: NetworkRuntime,
  session: InferenceSession,
  shape: NetworkShape,
  given: NetworkSound,
): Promise<NetworkSound> {
  const { inputs, outputs, stems } = shape;
  const feeds: Record<string, InferenceSession.OnnxValueMapType[string]> = {
    [inputs.sound]: new runtime.Tensor('float32', given.sound, [1, 2, networkSegmentSamples]),
  };
  if (inputs.spectrogram !== null && given.spectrogram !== null) {
    const dims = [1, 4, networkBinCount, networkFrameCount];
    feeds[inputs.spectrogram] = new runtime.Tensor('float32', given.spectrogram, dims);
  }
  const wanted = outputs.spectrogram === null ? [outputs.sound] : [outputs.sound, outputs.spectrogram];
  const found = await session.run(feeds, wanted);
  const take = (name: string, size: number): Float32Array => {
    const data = found[name]?.data;
    if (data instanceof Float32Array && data.length === size) return data;
    throw new SeparationError(
      'internal',
      `the network must give ${size} numbers (got ${data?.length ?? 'nothing'})`,
    );
  };
  return {
    sound: take(outputs.sound, stems * 2 * networkSegmentSamples),
    spectrogram:
      outputs.spectrogram === null
        ? null
        : take(outputs.spectrogram, stems * 4 * networkBinCount * networkFrameCount),
  };
}

/** What the runtime says, without its paths through the code. */
function firstSentence(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, 300);
}
