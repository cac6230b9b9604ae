import type { SeparatorRequest } from '@stem-studio/contract/separator';
import type { Context } from '../../../platform/context.ts';
import { createTurns } from '../../../platform/process/turns.ts';
import {
  askSeparator,
  runSeparator,
  type SeparatorOutcome,
  type SeparatorProcess,
  type SeparatorRun,
  startSeparator,
} from './run-separator.ts';

/** Processes of the separator that take one request after the other. */
export interface SeparatorPool {
  /** Separates in a process that rests, where one has the same loaded; else in a new one. Throws as `askSeparator`. */
  separate(request: Omit<SeparatorRequest, 'stays'>, run: SeparatorRun): Promise<SeparatorOutcome>;
  /** Ends those that rest; none rests from then on. */
  close(): Promise<void>;
}

interface Resting {
  /** What it has loaded. */
  readonly purpose: string;
  readonly separator: SeparatorProcess;
  readonly timer: NodeJS.Timeout;
}

const waiting = {
  type: 'progress',
  percent: 0,
  stage: 'waiting for another separation by a network',
} as const;

/**
 * A pool in which a process rests for so long after its work; 0: each is used once. One of networks works at a time:
 * the others wait here, so that what it has loaded serves them all.
 */
export function createSeparatorPool(restSeconds: number): SeparatorPool {
  const resting = new Set<Resting>();
  const takeNetworks = createTurns(1);
  let isClosed = false;

  const take = (purpose: string): SeparatorProcess | null => {
    for (const one of resting) {
      if (one.purpose !== purpose) continue;
      clearTimeout(one.timer);
      resting.delete(one);
      if (one.separator.isRunning()) return one.separator;
    }
    return null;
  };
  const dismiss = async (some: readonly Resting[]): Promise<void> => {
    for (const one of some) {
      clearTimeout(one.timer);
      resting.delete(one);
      one.separator.end();
    }
    await Promise.all(some.map(({ separator }) => separator.ended));
  };
  const putToRest = (purpose: string, separator: SeparatorProcess): void => {
    const timer = setTimeout(() => void dismiss([one]), restSeconds * 1000);
    const one: Resting = { purpose, separator, timer };
    resting.add(one);
    // It leaves by itself when somebody else wants the networks, and nobody can forbid it to die.
    void separator.ended.then(() => {
      clearTimeout(timer);
      resting.delete(one);
    });
  };

  const separate: SeparatorPool['separate'] = async (request, run) => {
    run.signal.throwIfAborted();
    if (restSeconds === 0 || isClosed) return runSeparator(request, run);
    const purpose = JSON.stringify([request.model, request.weights ?? null]);
    for (;;) {
      const rested = take(purpose);
      // What rests with something else loaded would only take memory from what works.
      if (!rested) await dismiss([...resting]);
      run.signal.throwIfAborted();
      const separator = rested ?? startSeparator();
      const outcome = await askSeparator(separator, { ...request, stays: true }, run);
      if (outcome.exitCode === null && !isClosed) putToRest(purpose, separator);
      else separator.end();
      // It had gone before it was asked: that says nothing about this request.
      if (rested && !outcome.hasSpoken && outcome.exitCode !== null) continue;
      return outcome;
    }
  };

  return {
    separate: async (request, run) => {
      if (!request.weights) return separate(request, run);
      const telling = setTimeout(() => run.report(waiting), 0);
      try {
        return await takeNetworks(run.signal, () => {
          clearTimeout(telling);
          return separate(request, run);
        });
      } finally {
        clearTimeout(telling);
      }
    },
    close: async () => {
      isClosed = true;
      await dismiss([...resting]);
    },
  };
}

const pools = new WeakMap<Context['queue'], SeparatorPool>();

/** The pool of a running service: its jobs share it. */
export function separatorPoolOf({ queue, config }: Context): SeparatorPool {
  const known = pools.get(queue);
  if (known) return known;
  const pool = createSeparatorPool(config.separationRestSeconds);
  pools.set(queue, pool);
  return pool;
}
