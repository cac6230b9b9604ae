import type { SeparatorRequest } from '@stem-studio/contract/separator';
import type { Context } from '../../../platform/context.ts';
import { createSemaphore } from '../../../platform/process/semaphore.ts';
import {
  askSeparator,
  runSeparator,
  type SeparatorOutcome,
  type SeparatorProcess,
  type SeparatorRun,
  startSeparator,
} from './run-separator.ts';

/** Pool of separator processes that handle one request after the other. */
export interface SeparatorPool {
  /**
   * Separates in an idle process that has the same model loaded, otherwise in a new one. Throws the errors of
   * `askSeparator`.
   */
  separate(request: Omit<SeparatorRequest, 'stays'>, run: SeparatorRun): Promise<SeparatorOutcome>;
  /** Ends idle processes; none is kept from then on. */
  close(): Promise<void>;
}

interface Resting {
  /** Key of the loaded model and networks. */
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
 * Creates a pool that keeps a process idle for `restSeconds` after its work; with 0 each is used once. Only one process
 * with networks works at a time: further requests wait, so that the loaded networks serve them all.
 */
export function createSeparatorPool(restSeconds: number): SeparatorPool {
  const resting = new Set<Resting>();
  const withNetworkPermit = createSemaphore(1);
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
    // The process exits by itself when another process needs the networks, and it may also be killed.
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
      // An idle process with another model loaded would only take memory.
      if (!rested) await dismiss([...resting]);
      run.signal.throwIfAborted();
      const separator = rested ?? startSeparator(request);
      const outcome = await askSeparator(separator, { ...request, stays: true }, run);
      if (outcome.exitCode === null && !isClosed) putToRest(purpose, separator);
      else separator.end();
      // The process had exited before it received the request, which says nothing about this request.
      if (rested && !outcome.hasSpoken && outcome.exitCode !== null) continue;
      return outcome;
    }
  };

  return {
    separate: async (request, run) => {
      if (!request.weights) return separate(request, run);
      const telling = setTimeout(() => run.report(waiting), 0);
      try {
        return await withNetworkPermit(run.signal, () => {
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

/** Returns the pool of a running service, shared by its jobs. */
export function separatorPoolOf({ queue, config }: Context): SeparatorPool {
  const known = pools.get(queue);
  if (known) return known;
  const pool = createSeparatorPool(config.separationRestSeconds);
  pools.set(queue, pool);
  return pool;
}

/**
 * Lets the jobs of a context use a pool that other contexts use too, and that stays open when this one closes. For tests,
 * which start many services in one process.
 */
export function shareSeparatorPool({ queue }: Context, pool: SeparatorPool): void {
  pools.set(queue, { separate: (request, run) => pool.separate(request, run), close: async () => undefined });
}
