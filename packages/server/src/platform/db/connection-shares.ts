import { AsyncLocalStorage } from 'node:async_hooks';

/** What a connection is used for: HTTP requests, messages of sockets, or jobs. */
export type ConnectionUse = 'request' | 'socket' | 'job';

/** On whose behalf queries run. */
export interface Caller {
  readonly use: ConnectionUse;
  /** User, such as `user:7`; null while nobody is known, whose queries wait for nobody. */
  key: string | null;
  /** Connections that the caller holds now. */
  held: number;
}

const callers = new AsyncLocalStorage<Caller | undefined>();

/** Runs `work` so that its queries use the caller's share of the connections. */
export function runAs<T>(caller: Caller, work: () => T): T {
  return callers.run(caller, work);
}

/** Runs `work` on nobody's behalf: for queries that several callers wait for together. */
export function runForAll<T>(work: () => T): T {
  return callers.run(undefined, work);
}

/** The caller on whose behalf the present code runs. */
export function currentCaller(): Caller | undefined {
  return callers.getStore();
}

/** Connections that may be held at once. */
export interface ConnectionLimits {
  /** By all callers of a use. */
  readonly uses: Readonly<Record<ConnectionUse, number>>;
  /** By one user's requests and sockets together. */
  readonly perUser: number;
  /** Callers that may wait: of one user, and in all. */
  readonly waitingPerUser: number;
  readonly waiting: number;
  /** How long one waits before it is refused, in milliseconds. */
  readonly waitMs: number;
}

/** Shares of a pool of `max` connections: some are always left for requests of other users. */
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

/** Why a caller gets no connection now. Begins as the pool's own error does, so that it is taken for a passing one. */
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
 * Shares the connections of a pool between its callers. A caller that holds one already gets the next at once: it could
 * never give the first back while it waits. Of those that wait, the one comes next whose user holds the fewest.
 */
export class ConnectionShares {
  readonly #limits: ConnectionLimits;
  readonly #byUse = new Map<ConnectionUse, number>();
  readonly #byUser = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Waits for a share. Whoever gets one must call {@link leave}. Throws {@link NoConnectionError}. */
  async enter(caller: Caller): Promise<void> {
    if (caller.held > 0 || this.#hasRoomFor(caller)) return this.#count(caller, 1);
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
      // Whoever waits is kept alive by the connection that it waits for.
      timer.unref();
      this.#waiting.add(one);
    });
  }

  /** Gives a share back. */
  leave(caller: Caller): void {
    this.#count(caller, -1);
    for (let next = this.#next(); next; next = this.#next()) next.enter();
  }

  #next(): Waiting | null {
    let best: Waiting | null = null;
    for (const one of this.#waiting) {
      if (!this.#hasRoomFor(one.caller)) continue;
      if (!best || this.#heldBy(one.caller) < this.#heldBy(best.caller)) best = one;
    }
    return best;
  }

  #heldBy({ key }: Caller): number {
    return key === null ? 0 : (this.#byUser.get(key) ?? 0);
  }

  #hasRoomFor(caller: Caller): boolean {
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
