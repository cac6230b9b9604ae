/** A connection on which nothing arrives for so long while a reply is awaited is lost, even though it is open. */
const REPLY_MS = 4000;

/** Deadline of the replies that the service owes, by this machine's clock. */
export class ReplyDeadline {
  readonly #ownMs: () => number;
  /** Since when a reply is awaited; null while none is. */
  #sinceMs: number | null = null;

  /** @param ownMs milliseconds by this machine's clock */
  constructor(ownMs: () => number) {
    this.#ownMs = ownMs;
  }

  /** Whether a reply is overdue. */
  get isOver(): boolean {
    return this.#sinceMs !== null && this.#ownMs() - this.#sinceMs > REPLY_MS;
  }

  /** A reply is awaited from now on, unless one is awaited already. */
  start(): void {
    this.#sinceMs ??= this.#ownMs();
  }

  /** Something arrived: what is still awaited has the full time again. */
  restart(isAwaiting: boolean): void {
    this.#sinceMs = isAwaiting ? this.#ownMs() : null;
  }

  /** No reply is awaited any more. */
  clear(): void {
    this.#sinceMs = null;
  }
}
