/** A value that a client can write and read back. */
export type PromisedValue = string | number | boolean | null;

/** How a write ended, as its client saw it. */
export type WriteOutcome =
  /** Answered with success: from now on it must be so. */
  | 'acknowledged'
  /** Answered with a refusal: nothing was written. */
  | 'refused'
  /** No answer, or a failure of the service: it may be so or not. */
  | 'unknown';

/**
 * What a client was promised: of each thing that it writes, the values that it may be found with afterwards. One client
 * writes a thing at a time.
 */
export class PromisedValues {
  readonly #allowed = new Map<string, Set<PromisedValue>>();
  readonly counts: Record<WriteOutcome, number> = { acknowledged: 0, refused: 0, unknown: 0 };

  /**
   * Writes a value by `send`, and keeps what may be found from now on.
   *
   * @param before the value of a thing that was never written
   */
  async write(
    key: string,
    value: PromisedValue,
    before: PromisedValue,
    send: () => Promise<WriteOutcome>,
  ): Promise<WriteOutcome> {
    const known = this.#allowed.get(key) ?? new Set([before]);
    this.#allowed.set(key, new Set([...known, value]));
    const outcome = await send();
    this.counts[outcome] += 1;
    if (outcome === 'acknowledged') this.#allowed.set(key, new Set([value]));
    else if (outcome === 'refused') this.#allowed.set(key, known);
    return outcome;
  }

  /** Whether a thing must have this value. */
  isCertain(key: string, value: PromisedValue): boolean {
    const allowed = this.#allowed.get(key);
    return allowed?.size === 1 && allowed.has(value);
  }

  /** Keys that begin so. */
  keysOf(prefix: string): string[] {
    return [...this.#allowed.keys()].filter((key) => key.startsWith(prefix));
  }

  /** What is broken when a thing is found with a value; null where that may be. From now on it must be that value. */
  observe(key: string, found: PromisedValue): string | null {
    const allowed = this.#allowed.get(key);
    if (!allowed) return `${key} was never written and is ${String(found)}`;
    this.#allowed.set(key, new Set([found]));
    if (allowed.has(found)) return null;
    return `${key} is ${String(found)} and must be ${[...allowed].map(String).join(' or ')}`;
  }

  /** Forgets things of which nothing is promised any more. */
  forget(prefix: string): void {
    for (const key of this.keysOf(prefix)) this.#allowed.delete(key);
  }
}
