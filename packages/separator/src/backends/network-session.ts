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
import { identifyNetwork, type NetworkShape } from './network-shape.ts';

/** Options for opening networks. */
export interface SessionOptions {
  readonly files: readonly string[];
  readonly device: NetworkDevice;
  /** Whether memory is kept between runs. */
  readonly keepsMemory: boolean;
}

/** Loaded networks, all on the same device. */
export interface OpenNetworks {
  /** `cpu`, `cuda`, … */
  readonly device: string;
  readonly shapes: readonly NetworkShape[];
  /** Message if they do not run on the requested device. */
  readonly warning: string | null;
  readonly sessions: readonly InferenceSession[];
}

/** Input or output of a network: waveform, and spectrogram if the transform is outside the network. */
export interface NetworkAudio {
  /** Left then right audio channel; in an output, of all stems in turn. */
  readonly waveform: Float32Array;
  readonly spectrogram: Float32Array | null;
}

/** Returns the devices to try, in order. */
function candidates(device: NetworkDevice, runtime: NetworkRuntime): readonly string[] {
  if (device !== 'auto') return device === 'cpu' ? ['cpu'] : [device, 'cpu'];
  const known = runtime.listSupportedBackends().map(({ name }) => name);
  return [...['cuda', 'coreml', 'dml', 'webgpu'].filter((name) => known.includes(name)), 'cpu'];
}

/**
 * Opens networks on the requested device, or on all cores of the CPU if the device cannot be used.
 *
 * @throws SeparationError `model_not_available` for a file that is not a network, or has unsupported shapes
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
            // Fatal errors only: they are thrown as well.
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
      shapes: sessions.map((session) => identifyNetwork(session.inputMetadata, session.outputMetadata)),
      warning: isElsewhere
        ? `the networks run on the CPU: ${options.device} cannot be used here (${reason})`
        : null,
    };
  }
  throw new Error('the CPU is always a candidate');
}

/** Runs a network on one segment. */
export async function runNetwork(
  runtime: NetworkRuntime,
  session: InferenceSession,
  shape: NetworkShape,
  input: NetworkAudio,
): Promise<NetworkAudio> {
  const { inputs, outputs, stems } = shape;
  const feeds: Record<string, InferenceSession.OnnxValueMapType[string]> = {
    [inputs.waveform]: new runtime.Tensor('float32', input.waveform, [1, 2, networkSegmentSamples]),
  };
  if (inputs.spectrogram !== null && input.spectrogram !== null) {
    const dims = [1, 4, networkBinCount, networkFrameCount];
    feeds[inputs.spectrogram] = new runtime.Tensor('float32', input.spectrogram, dims);
  }
  const wanted = outputs.spectrogram === null ? [outputs.waveform] : [outputs.waveform, outputs.spectrogram];
  const found = await session.run(feeds, wanted);
  const take = (name: string, size: number): Float32Array => {
    const data = found[name]?.data;
    if (data instanceof Float32Array && data.length === size) return data;
    throw new SeparationError(
      'internal',
      `the output of the network must have ${size} values (got ${data?.length ?? 'none'})`,
    );
  };
  return {
    waveform: take(outputs.waveform, stems * 2 * networkSegmentSamples),
    spectrogram:
      outputs.spectrogram === null
        ? null
        : take(outputs.spectrogram, stems * 4 * networkBinCount * networkFrameCount),
  };
}

/** Returns the first line of a runtime error, without the stack. */
function firstSentence(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, 300);
}
