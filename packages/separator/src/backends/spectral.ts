import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { listenForStems } from '../absent-stems.ts';
import type { Backend, StemEstimates } from './backend.ts';
import type { SpectralModel } from './spectral-recipes.ts';
import type { SpectralAnswer, SpectralTask } from './spectral-thread.ts';

const sampleRate = 44_100;

/** Segments are long, because what repeats can only be told from what does not over several bars. */
const segmentSeconds = 16;
const overlapSeconds = 2;

interface Pending {
  readonly task: SpectralTask;
  readonly report: (part: number) => void;
  readonly resolve: (estimates: StemEstimates) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * The built-in methods (see `@stem-studio/dsp/separate/four-stems` and `six-stems`), in one thread a core, two at
 * most: segments are independent, and the rest of the machine belongs to others.
 */
export function createSpectralBackend(
  model: SpectralModel,
  threadCount = Math.min(2, availableParallelism()),
): Backend {
  let listener = listenForStems();
  const threads: Worker[] = [];
  const idle: Worker[] = [];
  const waiting: Pending[] = [];
  const running = new Map<Worker, Pending>();

  const startNext = (): void => {
    while (waiting.length > 0) {
      // A short sound needs one thread only, and a refused one none.
      if (idle.length === 0 && threads.length < threadCount) startThread();
      if (idle.length === 0) return;
      const thread = idle.pop() as Worker;
      const pending = waiting.shift() as Pending;
      running.set(thread, pending);
      const { left, right } = pending.task;
      thread.postMessage(pending.task, [left.buffer as ArrayBuffer, right.buffer as ArrayBuffer]);
    }
  };

  const takeAnswer = (thread: Worker, answer: SpectralAnswer): void => {
    const pending = running.get(thread);
    if (pending === undefined) return;
    if (answer.kind === 'progress') {
      pending.report(answer.part);
      return;
    }
    running.delete(thread);
    idle.push(thread);
    if (answer.kind === 'done') {
      listener.hear(answer.segment.presence);
      pending.resolve(answer.segment.stems);
    } else pending.reject(new Error(answer.message));
    startNext();
  };

  const failThread = (thread: Worker, reason: Error): void => {
    const pending = running.get(thread);
    running.delete(thread);
    pending?.reject(reason);
  };

  const startThread = (): void => {
    const thread = new Worker(new URL('./spectral-thread.ts', import.meta.url), { workerData: model });
    thread.on('message', (answer: SpectralAnswer) => takeAnswer(thread, answer));
    thread.on('error', (error) =>
      failThread(thread, error instanceof Error ? error : new Error(String(error))),
    );
    threads.push(thread);
    idle.push(thread);
  };

  return {
    name: 'spectral',
    plan: {
      segmentFrames: segmentSeconds * sampleRate,
      overlapFrames: overlapSeconds * sampleRate,
      ends: 'lengthened',
    },
    // One more than there are threads, so that none waits while a finished segment is written. Six stems are half as
    // much again to hold: there one waits.
    parallelSegments: model === 'hybrid_6' ? threadCount : threadCount + 1,

    warnings: () => [],
    absentStems: () => listener.absent(),
    segmentMs: () => null,

    separate({ left, right }, report) {
      return new Promise<StemEstimates>((resolve, reject) => {
        waiting.push({ task: { left, right }, report, resolve, reject });
        startNext();
      });
    },

    rest() {
      listener = listenForStems();
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
