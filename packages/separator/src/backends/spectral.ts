import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createStemPresenceDetector } from '../stem-presence.ts';
import type { Backend, StemEstimates } from './backend.ts';
import type { SpectralModel } from './spectral-recipes.ts';
import type { SpectralTask, SpectralThreadMessage } from './spectral-thread.ts';

const sampleRate = 44_100;

/**
 * One window of the voice network, 11.8 s: some bars, so that repeating parts can be distinguished from the rest. Longer
 * segments need more memory in each thread.
 */
const segmentFrames = 509 * 1024;
const overlapSeconds = 1;

interface Pending {
  readonly task: SpectralTask;
  readonly report: (part: number) => void;
  readonly resolve: (estimates: StemEstimates) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Creates the backend of the built-in methods, with one thread per core, two at most.
 *
 * @see `@stem-studio/dsp/separate/four-stems` and `six-stems`
 */
export function createSpectralBackend(
  model: SpectralModel,
  threadCount = Math.min(2, availableParallelism()),
): Backend {
  let presence = createStemPresenceDetector();
  const threads: Worker[] = [];
  const idle: Worker[] = [];
  const waiting: Pending[] = [];
  const running = new Map<Worker, Pending>();

  const startNext = (): void => {
    while (waiting.length > 0) {
      // Threads start on demand: a short file needs one, a refused one none.
      if (idle.length === 0 && threads.length < threadCount) startThread();
      if (idle.length === 0) return;
      const thread = idle.pop() as Worker;
      const pending = waiting.shift() as Pending;
      running.set(thread, pending);
      const { left, right } = pending.task;
      thread.postMessage(pending.task, [left.buffer as ArrayBuffer, right.buffer as ArrayBuffer]);
    }
  };

  const handleReply = (thread: Worker, message: SpectralThreadMessage): void => {
    const pending = running.get(thread);
    if (pending === undefined) return;
    if (message.kind === 'progress') {
      pending.report(message.part);
      return;
    }
    running.delete(thread);
    idle.push(thread);
    if (message.kind === 'done') {
      presence.add(message.segment.presence);
      pending.resolve(message.segment.stems);
    } else pending.reject(new Error(message.message));
    startNext();
  };

  const failThread = (thread: Worker, reason: Error): void => {
    const pending = running.get(thread);
    running.delete(thread);
    pending?.reject(reason);
  };

  const startThread = (): void => {
    const thread = new Worker(new URL('./spectral-thread.ts', import.meta.url), { workerData: model });
    thread.on('message', (message: SpectralThreadMessage) => handleReply(thread, message));
    thread.on('error', (error) =>
      failThread(thread, error instanceof Error ? error : new Error(String(error))),
    );
    threads.push(thread);
    idle.push(thread);
  };

  return {
    name: 'spectral',
    plan: {
      segmentFrames,
      overlapFrames: overlapSeconds * sampleRate,
      ends: 'lengthened',
    },
    // One more than threads, so that none is idle while a segment is written; not where a segment needs most memory.
    parallelSegments: model === 'hybrid_4' || model === 'alt_4' ? threadCount + 1 : threadCount,

    warnings: () => [],
    absentStems: () => presence.absent(),
    segmentMs: () => null,

    separate({ left, right }, report) {
      return new Promise<StemEstimates>((resolve, reject) => {
        waiting.push({ task: { left, right }, report, resolve, reject });
        startNext();
      });
    },

    rest() {
      presence = createStemPresenceDetector();
      return true;
    },

    async close() {
      const reason = new Error('the separation was ended');
      for (const pending of waiting.splice(0)) pending.reject(reason);
      for (const thread of threads) failThread(thread, reason);
      idle.length = 0;
      await Promise.all(threads.splice(0).map((thread) => thread.terminate()));
    },
  };
}
