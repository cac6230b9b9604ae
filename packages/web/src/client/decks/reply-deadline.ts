/** Time without any received message, while a reply is awaited, after which an open connection counts as lost. */
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

  /** Handles a received message: the deadline of replies still awaited starts again. */
  restart(isAwaiting: boolean): void {
    this.#sinceMs = isAwaiting ? this.#ownMs() : null;
  }

  /** No reply is awaited any more. */
  clear(): void {
    this.#sinceMs = null;
  }
}
