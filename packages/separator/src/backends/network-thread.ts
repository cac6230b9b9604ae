import { parentPort, workerData } from 'node:worker_threads';
import { monotonicMs } from '../clock.ts';
import { messageOf, SeparationError } from '../separation-error.ts';
import { loadNetworkRuntime } from './network-runtime.ts';
import { type NetworkSound, openNetworks, runNetwork, type SessionOptions } from './network-session.ts';
import type { NetworkShape } from './network-shape.ts';

/** What the thread is told: run these networks, by their places among the files, one after the other; or end. */
export type NetworkTask =
  | ({ readonly kind: 'run'; readonly networks: readonly number[] } & NetworkSound)
  | { readonly kind: 'end' };

/** What the thread says. */
export type NetworkThreadAnswer =
  | {
      readonly kind: 'open';
      readonly device: string;
      readonly shapes: readonly NetworkShape[];
      readonly warning: string | null;
    }
  | ({ readonly kind: 'gave'; readonly network: number; readonly runMs: number } & NetworkSound)
  | { readonly kind: 'warning'; readonly warning: string }
  | { readonly kind: 'failed'; readonly isOurs: boolean; readonly message: string };

const port = parentPort;
if (port === null) throw new Error('network-thread must run as a worker thread');

const answer = (message: NetworkThreadAnswer, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

const fail = (error: unknown): void =>
  answer({ kind: 'failed', isOurs: error instanceof SeparationError, message: messageOf(error) });

try {
  const options = workerData as SessionOptions;
  const runtime = await loadNetworkRuntime();
  let open = await openNetworks(runtime, options);
  answer({ kind: 'open', device: open.device, shapes: open.shapes, warning: open.warning });

  const run = async (network: number, given: NetworkSound): Promise<NetworkSound> => {
    const [session, shape] = [open.sessions[network], open.shapes[network]];
    if (!session || !shape) throw new Error(`there is no network ${network}`);
    return runNetwork(runtime, session, shape, given);
  };

  /** What the device cannot run although it could open it, the processor runs from then on. */
  const runSomewhere = async (network: number, given: NetworkSound): Promise<NetworkSound> => {
    try {
      return await run(network, given);
    } catch (error) {
      if (open.device === 'cpu') throw error;
      const [reason = ''] = messageOf(error).split('\n');
      answer({
        kind: 'warning',
        warning: `the networks run on the processor: ${open.device} has failed (${reason})`,
      });
      for (const session of open.sessions) await session.release();
      open = await openNetworks(runtime, { ...options, device: 'cpu' });
      return run(network, given);
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
      const { sound, spectrogram } = await runSomewhere(network, task);
      const runMs = monotonicMs() - started;
      const buffers = [sound.buffer, ...(spectrogram ? [spectrogram.buffer] : [])] as ArrayBuffer[];
      answer({ kind: 'gave', network, runMs, sound, spectrogram }, buffers);
    }
  };

  // One after the other: a message that comes while a network runs waits for it.
  let last = Promise.resolve();
  port.on('message', (task: NetworkTask) => {
    last = last.then(() => perform(task)).catch(fail);
  });
} catch (error) {
  fail(error);
}
