import { parentPort, workerData } from 'node:worker_threads';
import { monotonicMs } from '../clock.ts';
import { messageOf, SeparationError } from '../separation-error.ts';
import { loadNetworkRuntime } from './network-runtime.ts';
import { type NetworkAudio, openNetworks, runNetwork, type SessionOptions } from './network-session.ts';
import type { NetworkShape } from './network-shape.ts';

/** A message to the thread: run the networks of these indices one after the other, or end. */
export type NetworkTask =
  | ({ readonly kind: 'run'; readonly networks: readonly number[] } & NetworkAudio)
  | { readonly kind: 'end' };

/** A message from the thread. */
export type NetworkThreadMessage =
  | {
      readonly kind: 'open';
      readonly device: string;
      readonly shapes: readonly NetworkShape[];
      readonly warning: string | null;
    }
  | ({ readonly kind: 'result'; readonly network: number; readonly runMs: number } & NetworkAudio)
  | { readonly kind: 'warning'; readonly warning: string }
  | { readonly kind: 'failed'; readonly isSeparationError: boolean; readonly message: string };

const port = parentPort;
if (port === null) throw new Error('network-thread must run as a worker thread');

const post = (message: NetworkThreadMessage, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

const fail = (error: unknown): void =>
  post({ kind: 'failed', isSeparationError: error instanceof SeparationError, message: messageOf(error) });

try {
  const options = workerData as SessionOptions;
  const runtime = await loadNetworkRuntime();
  let open = await openNetworks(runtime, options);
  post({ kind: 'open', device: open.device, shapes: open.shapes, warning: open.warning });

  const run = async (network: number, input: NetworkAudio): Promise<NetworkAudio> => {
    const [session, shape] = [open.sessions[network], open.shapes[network]];
    if (!session || !shape) throw new Error(`there is no network ${network}`);
    return runNetwork(runtime, session, shape, input);
  };

  /** Runs a network; if the device fails, reopens all networks on the CPU and runs it there. */
  const runWithCpuFallback = async (network: number, input: NetworkAudio): Promise<NetworkAudio> => {
    try {
      return await run(network, input);
    } catch (error) {
      if (open.device === 'cpu') throw error;
      const [reason = ''] = messageOf(error).split('\n');
      post({
        kind: 'warning',
        warning: `the networks run on the CPU: ${open.device} failed (${reason})`,
      });
      for (const session of open.sessions) await session.release();
      open = await openNetworks(runtime, { ...options, device: 'cpu' });
      return run(network, input);
    }
  };

  const perform = async (task: NetworkTask): Promise<void> => {
    if (task.kind === 'end') {
      for (const session of open.sessions) await session.release();
      port.close();
      return;
    }
    for (const network of task.networks) {
      const started = monotonicMs();
      const { waveform, spectrogram } = await runWithCpuFallback(network, task);
      const runMs = monotonicMs() - started;
      const buffers = [waveform.buffer, ...(spectrogram ? [spectrogram.buffer] : [])] as ArrayBuffer[];
      post({ kind: 'result', network, runMs, waveform, spectrogram }, buffers);
    }
  };

  // Tasks run one after the other.
  let last = Promise.resolve();
  port.on('message', (task: NetworkTask) => {
    last = last.then(() => perform(task)).catch(fail);
  });
} catch (error) {
  fail(error);
}
