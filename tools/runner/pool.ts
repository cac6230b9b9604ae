import { setTimeout as pause } from 'node:timers/promises';

/** Interval at which a waiting task asks again whether there is capacity, in ms. */
const pollMs = 250;

/** One piece of work of a run: a test file, or a step of the check. */
export interface PoolTask {
  /** Tasks of one kind may have a limit of their own. */
  readonly kind: string;
  run(): Promise<void>;
}

/** Limits of the number of tasks that run at a time. */
export interface PoolLimits {
  /** Number of tasks that run whatever the load of the machine is. */
  readonly least: number;
  /** Largest number of tasks. */
  readonly most: number;
  /** Largest number of tasks of a kind; kinds that are not named have none. */
  readonly mostOfKind?: Readonly<Record<string, number>>;
  /** Returns whether a task may be added to those that run; asked only between `least` and `most`. */
  readonly hasCapacity: () => boolean;
}

/**
 * Runs tasks at the same time, started in their order. Others overtake a task whose kind has reached its limit.
 *
 * @throws the error of the first task that throws, while others may still be running
 */
export async function runPool(
  tasks: readonly PoolTask[],
  { least, most, mostOfKind = {}, hasCapacity }: PoolLimits,
): Promise<void> {
  const waiting = [...tasks];
  const running = new Map<PoolTask, Promise<void>>();
  const isAllowed = ({ kind }: PoolTask) =>
    [...running.keys()].filter((task) => task.kind === kind).length < (mostOfKind[kind] ?? most);
  while (waiting.length + running.size > 0) {
    const index = waiting.findIndex(isAllowed);
    const [task] = waiting.slice(index, index + 1);
    if (index !== -1 && task && (running.size < least || (running.size < most && hasCapacity()))) {
      waiting.splice(index, 1);
      running.set(
        task,
        task.run().finally(() => running.delete(task)),
      );
      continue;
    }
    const timer = new AbortController();
    const tick = pause(pollMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([tick, ...running.values()]).finally(() => timer.abort());
  }
}
