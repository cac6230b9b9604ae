import { AsyncLocalStorage } from 'node:async_hooks';

/** Use of a connection: HTTP requests, socket messages, or jobs. */
export type ConnectionUse = 'request' | 'socket' | 'job';

/** Caller that queries are attributed to. */
export interface Caller {
  readonly use: ConnectionUse;
  /** User, such as `user:7`; null before authentication, when requests wait for no share. */
  key: string | null;
  /** Number of connections that the caller holds. */
  held: number;
}

const callers = new AsyncLocalStorage<Caller | undefined>();

/** Runs `work` with its queries attributed to the caller's share of the connections. */
export function runAs<T>(caller: Caller, work: () => T): T {
  return callers.run(caller, work);
}

/** Runs `work` without a caller, for queries that several callers await together. */
export function runForAll<T>(work: () => T): T {
  return callers.run(undefined, work);
}

/** Returns the caller of the current async context. */
export function currentCaller(): Caller | undefined {
  return callers.getStore();
}

/** Maximum numbers of connections that may be held at once. */
export interface ConnectionLimits {
  /** By all callers of a use. */
  readonly uses: Readonly<Record<ConnectionUse, number>>;
  /** By the requests and sockets of one user together. */
  readonly perUser: number;
  /** Maximum numbers of waiting callers: of one user, and in total. */
  readonly waitingPerUser: number;
  readonly waiting: number;
  /** Maximum waiting time, in ms. */
  readonly waitMs: number;
}

/** Returns the limits for a pool of `max` connections. Some connections always remain for requests of other users. */
export function connectionLimitsOf(max: number): ConnectionLimits {
  const part = (fraction: number) => Math.max(Math.min(4, max), Math.floor(max * fraction));
  return {
    uses: { request: max, socket: part(1 / 4), job: part(3 / 8) },
    perUser: part(1 / 4),
    waitingPerUser: 300,
    waiting: 1000,
    waitMs: 5000,
  };
}

/**
 * Thrown if a caller gets no connection. Its message begins like the pool's own timeout error, so it is treated as
 * temporary.
 */
export class NoConnectionError extends Error {
  override readonly name = 'NoConnectionError';
  constructor(reason: string) {
    super(`timeout exceeded when trying to connect: ${reason}`);
  }
}

interface Waiting {
  readonly caller: Caller;
  readonly enter: () => void;
}

/**
 * Divides the connections of a pool between callers. A caller that already holds a connection gets another at once,
 * because it could not release the first while it waits. Among the waiting callers, the one whose user holds the fewest
 * connections is next.
 */
export class ConnectionShares {
  readonly #limits: ConnectionLimits;
  readonly #byUse = new Map<ConnectionUse, number>();
  readonly #byUser = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Waits for a share. Each successful call must be followed by {@link leave}. Throws {@link NoConnectionError}. */
  async enter(caller: Caller): Promise<void> {
    if (caller.held > 0 || this.#hasCapacityFor(caller)) return this.#count(caller, 1);
    const { waitingPerUser, waiting, waitMs } = this.#limits;
    const ofUser = [...this.#waiting].filter((one) => one.caller.key === caller.key).length;
    if (ofUser >= waitingPerUser || this.#waiting.size >= waiting)
      throw new NoConnectionError(`${ofUser} queries of the same caller wait already`);
    await new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        caller,
        enter: () => {
          clearTimeout(timer);
          this.#waiting.delete(one);
          this.#count(caller, 1);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(one);
        reject(new NoConnectionError(`no share was free within ${waitMs} ms`));
      }, waitMs);
      // The timer need not keep the process alive: the awaited connection does.
      timer.unref();
      this.#waiting.add(one);
    });
  }

  /** Releases a share. */
  leave(caller: Caller): void {
    this.#count(caller, -1);
    for (let next = this.#next(); next; next = this.#next()) next.enter();
  }

  #next(): Waiting | null {
    let best: Waiting | null = null;
    for (const one of this.#waiting) {
      if (!this.#hasCapacityFor(one.caller)) continue;
      if (!best || this.#heldBy(one.caller) < this.#heldBy(best.caller)) best = one;
    }
    return best;
  }

  #heldBy({ key }: Caller): number {
    return key === null ? 0 : (this.#byUser.get(key) ?? 0);
  }

  #hasCapacityFor(caller: Caller): boolean {
    if ((this.#byUse.get(caller.use) ?? 0) >= this.#limits.uses[caller.use]) return false;
    return caller.use === 'job' || this.#heldBy(caller) < this.#limits.perUser;
  }

  #count(caller: Caller, by: 1 | -1): void {
    const { use, key } = caller;
    caller.held += by;
    this.#byUse.set(use, (this.#byUse.get(use) ?? 0) + by);
    if (key === null || use === 'job') return;
    const held = (this.#byUser.get(key) ?? 0) + by;
    if (held > 0) this.#byUser.set(key, held);
    else this.#byUser.delete(key);
  }
}
